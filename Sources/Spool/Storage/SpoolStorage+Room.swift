import Devices

extension SpoolStorage {
  /// The maximum number of items evicted in one commit.
  private static let evictionBatch = 256

  /// Returns the shortage for a picture of this length, after sources of proxies have made room.
  private func shortage(
    bytes: Int64, items: Int, written: Int64?
  ) throws(SpoolError) -> Capacity.Shortage? {
    while let shortage = try shortageNow(bytes: bytes, items: items, written: written) {
      guard shortage.bytes > 0, let proxy = try nextProxy() else { return shortage }
      try keepProxy(proxy.id, .storage)
    }
    return nil
  }

  /// Returns the shortage for a picture of this length; `nil` when there is room.
  ///
  /// - Parameter freed: the bytes of sources that count as room.
  func shortageNow(
    bytes: Int64, items: Int = 1, written: Int64? = nil, freed: Int64 = 0
  ) throws(SpoolError) -> Capacity.Shortage? {
    ballast.makeIfRoom(in: layout.root)
    var room: FileSystemRoom
    do throws(FileSystemError) {
      room = try environment.files.room(layout.root)
    } catch {
      throw SpoolError(writing: error)
    }
    // A file system of unknown size reports the largest number.
    room.freeBytes = min(room.freeBytes, Int64.max - freed) + freed
    var kept = try kept()
    kept.bytes += sourceBytes - freed + recordedBytes
    kept.count += recordings.count
    let capacity = Capacity(
      minimumFreeBytes: configuration.minimumFreeBytes + ballast.outstandingBytes,
      maximumBytes: configuration.maximumBytes,
      maximumItems: configuration.maximumItems)
    return capacity.shortage(
      bytes: bytes, items: items, written: written, kept: kept, room: room)
  }

  /// Counts the pictures that the limits cover and that may be evicted; zero without a limit.
  ///
  /// Waiting and parked pictures count, and quarantined ones that have a file.
  private func kept() throws(SpoolError) -> Tally.Items {
    guard configuration.limitsPictures else { return Tally.Items() }
    let tally = try index.tally()
    var kept = tally.waiting
    guard tally[.quarantined].count > 0 else { return kept }
    let quarantined = try index.quarantinedFiles()
    kept.count += quarantined.count
    kept.bytes += quarantined.bytes
    return kept
  }

  func refusal(_ shortage: Capacity.Shortage) -> SpoolError {
    SpoolError(.full, layout.root, "has no room for a picture", cause: shortage.cause)
  }

  /// Throws when a picture of this length would not fit, even after all possible evictions.
  ///
  /// Nothing is given up. The sources that would make room for the picture count as room.
  func checkRoom(bytes: Int64) throws(SpoolError) {
    guard try shortageNow(bytes: bytes) != nil,
      let shortage = try shortageNow(bytes: bytes, freed: try sparedSourceBytes())
    else { return }
    try requireEvictable(shortage)
  }

  /// Throws when no eviction can end a shortage.
  private func requireEvictable(_ shortage: Capacity.Shortage) throws(SpoolError) {
    guard configuration.whenFull == .evictOldest, !isEvictionVain(shortage) else {
      throw refusal(shortage)
    }
    let kept = try kept()
    let claimed = claims.values.reduce(into: [ItemID: Int64]()) { $0.merge($1) { $1 } }
    let bytes = kept.bytes - claimed.values.reduce(0, +)
    let items = kept.count - claimed.count
    guard items > 0, items >= shortage.items, bytes >= shortage.bytes else {
      throw refusal(shortage)
    }
  }

  /// Makes room for a picture by evicting the oldest ones, if the configuration says so.
  ///
  /// The rows are committed first, and the files are removed then. A crash in between leaves files
  /// that the next start removes, never a row that waits for a removed file. The eviction ends at
  /// the first round that frees nothing. It does not restart before more room is free than then.
  /// While the rest of a start is compared, the oldest rows are compared first. A picture that is
  /// away then goes to the quarantine, from which it returns with its file, and makes no room.
  ///
  /// - Parameters:
  ///   - bytes: the picture's length, which the limits count.
  ///   - items: the number of pictures that have this length together.
  ///   - written: the bytes that the picture adds to the file system; `nil` for all of them.
  func makeRoom(bytes: Int64, items: Int = 1, written: Int64? = nil) throws(SpoolError) {
    guard var shortage = try shortage(bytes: bytes, items: items, written: written) else { return }
    guard configuration.whenFull == .evictOldest else { throw refusal(shortage) }
    if rest != nil {
      try compareOldest()
      guard let next = try self.shortage(bytes: bytes, items: items, written: written) else {
        return
      }
      shortage = next
    }
    try requireEvictable(shortage)
    // The room of a file on the disk is not exactly its length, so look again after each round.
    for _ in 0..<64 {
      let rows = try evictable(shortage)
      guard !rows.isEmpty else { throw refusal(shortage) }
      try giveUp(rows, .noRoom)
      guard let next = try self.shortage(bytes: bytes, items: items, written: written) else {
        return vainEviction = nil
      }
      // A file that is left behind does not count against the room that the others have freed. A
      // damaged file may be of any length.
      let wereDamaged = rows.allSatisfy { $0.row.state == .quarantined }
      guard wereDamaged || !next.isUnrelieved(since: shortage) else {
        vainEviction = next
        throw refusal(next)
      }
      shortage = next
    }
    throw refusal(shortage)
  }

  /// Whether an eviction has freed nothing and no more room is free than then.
  private func isEvictionVain(_ shortage: Capacity.Shortage) -> Bool {
    vainEviction.map(shortage.isUnrelieved) ?? false
  }

  private func giveUp(
    _ rows: [(sequence: Int64, row: ItemRow)], _ reason: EvictionReason
  ) throws(SpoolError) {
    for (sequence, row) in rows { index.history.removed(sequence, shard: row.id.shard) }
    try withBallast { () throws(SpoolError) in try index.evict(rows, reason) }
    for (_, row) in rows { events.append(.evicted(row.id)) }
    try removeFiles(of: rows)
  }

  /// Compares the oldest rows with their files, as many as one commit evicts.
  private func compareOldest() throws(SpoolError) {
    guard rest != nil else { return }
    let oldest = try index.waiting(after: 0, limit: Self.evictionBatch).last?.sequence ?? 0
    while rest?.hasCompared(oldest) == false { _ = try recoverSlice() }
  }

  /// Whether a row has been compared with its files, so that the picture may be evicted.
  ///
  /// The rest of the start returns a quarantined picture whose file is in its place again.
  private func isCompared(_ sequence: Int64, _ row: ItemRow) -> Bool {
    guard let rest else { return true }
    if row.state.isWaiting { return rest.hasCompared(sequence) }
    do throws(FileSystemError) {
      return try environment.files.status(layout.image(row.id, row.fileExtension)) == nil
    } catch {
      return false
    }
  }

  /// Returns the oldest unclaimed pictures, as many as are needed or as one commit takes.
  ///
  /// Damaged pictures go before all others. A picture that could not be read may still be good.
  private func evictable(
    _ shortage: Capacity.Shortage
  ) throws(SpoolError) -> [(sequence: Int64, row: ItemRow)] {
    try compareOldest()
    var rows: [(sequence: Int64, row: ItemRow)] = []
    var bytes: Int64 = 0
    for isDamaged in [true, false] {
      let states: [ItemRow.State] = isDamaged ? [.quarantined] : [.quarantined, .stored, .parked]
      var last: Int64 = 0
      while rows.count < Self.evictionBatch {
        let found = try index.waiting(after: last, limit: 64, states: states)
        guard let end = found.last else { break }
        last = end.sequence
        for candidate in found
        where !isClaimed(candidate.row.id) && candidate.row.hasFile
          && (candidate.row.quarantineReason == .damaged) == isDamaged
          && isCompared(candidate.sequence, candidate.row)
        {
          rows.append(candidate)
          bytes += candidate.row.bytes
          if bytes >= shortage.bytes, rows.count >= shortage.items { return rows }
        }
      }
    }
    return rows
  }

  /// Removes pictures of the quarantine at a person's request, as many as one slice takes.
  ///
  /// - Returns: the last row's number and the number of removed pictures; `nil` when there is none.
  func deleteQuarantined(
    after last: Int64
  ) throws(SpoolError) -> (last: Int64, count: Int)? {
    let rows = try index.quarantined(after: last, limit: Self.rowSlice)
    guard let end = rows.last else { return nil }
    var removable: [(sequence: Int64, row: ItemRow)] = []
    var unreadable: [Int64] = []
    for (sequence, row) in rows {
      guard let row else {
        unreadable.append(sequence)
        continue
      }
      if !isClaimed(row.id) { removable.append((sequence, row)) }
    }
    if !removable.isEmpty { try giveUp(removable, .deleted) }
    if !unreadable.isEmpty {
      try withBallast { () throws(SpoolError) in try index.remove(unreadable: unreadable) }
    }
    ballast.makeIfRoom(in: layout.root)
    return (end.sequence, removable.count + unreadable.count)
  }

  /// Removes one picture at a person's request.
  func delete(_ id: ItemID) throws(SpoolError) {
    guard !isClaimed(id) else {
      throw SpoolError(.notWaiting, id.description, "is being delivered")
    }
    if let sequence = try index.sequence(of: id) {
      index.history.removed(sequence, shard: id.shard)
    }
    let (sequence, row) = try withBallast { () throws(SpoolError) in try index.delete(id) }
    events.append(.evicted(id))
    try removeFiles(of: [(sequence, row)])
    ballast.makeIfRoom(in: layout.root)
  }
}
