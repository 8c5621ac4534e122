extension SpoolStorage {
  /// Items given up in one commit, at most.
  private static let evictionBatch = 256

  /// What is missing for a picture of so many bytes; `nil` when there is room.
  private func shortage(bytes: Int64) throws(SpoolError) -> Capacity.Shortage? {
    ballast.makeIfRoom(in: layout.root)
    let room: FileSystemRoom
    do throws(SystemError) {
      room = try environment.files.room(layout.root)
    } catch {
      throw SpoolError(writing: error)
    }
    let capacity = Capacity(
      minimumFreeBytes: configuration.minimumFreeBytes + ballast.outstandingBytes,
      maximumBytes: configuration.maximumBytes,
      maximumItems: configuration.maximumItems)
    return capacity.shortage(bytes: bytes, kept: try kept(), room: room)
  }

  /// The pictures that count for the limits, and that may be given up: those that wait, and those of
  /// the quarantine that have a file.
  private func kept() throws(SpoolError) -> Tally.Items {
    let tally = try index.tally()
    var kept = tally.waiting
    guard tally[.quarantined].count > 0, configuration.limitsPictures else { return kept }
    let quarantined = try index.quarantinedFiles()
    kept.count += quarantined.count
    kept.bytes += quarantined.bytes
    return kept
  }

  private func refusal(_ shortage: Capacity.Shortage) -> SpoolError {
    SpoolError(.full, layout.root, "has no room for a picture", cause: shortage.cause)
  }

  /// Refuses when a picture of so many bytes would not fit, nor after what may be given up is.
  func checkRoom(bytes: Int64) throws(SpoolError) {
    guard let shortage = try shortage(bytes: bytes) else { return }
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

  /// Makes room for a picture by giving up the oldest ones, if the configuration says so.
  ///
  /// The rows are committed first and the files removed then: a crash in between leaves files that
  /// the next start removes, never a row that waits for a file that is gone. It ends at the first
  /// round that frees nothing, and is not begun again while no more is free than then.
  func makeRoom(bytes: Int64) throws(SpoolError) {
    guard var shortage = try shortage(bytes: bytes) else { return }
    guard configuration.whenFull == .evictOldest else { throw refusal(shortage) }
    try checkRoom(bytes: bytes)
    // What a file takes on the disk is not exactly its length: look again after each round.
    for _ in 0..<64 {
      let rows = try evictable(shortage)
      guard !rows.isEmpty else { throw refusal(shortage) }
      try giveUp(rows, .noRoom)
      guard let next = try self.shortage(bytes: bytes) else { return vainEviction = nil }
      // A file that is left behind does not count against what the others have freed; a damaged one may
      // be of any length.
      let wereDamaged = rows.allSatisfy { $0.row.state == .quarantined }
      guard wereDamaged || !next.isUnrelieved(since: shortage) else {
        vainEviction = next
        throw refusal(next)
      }
      shortage = next
    }
    throw refusal(shortage)
  }

  /// Whether giving up pictures has freed nothing and no more is free than it was then.
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

  /// The oldest pictures that nobody delivers now, as many as are needed or as go into a commit.
  ///
  /// Damaged ones go before all others; what could not be read may be good all the same.
  private func evictable(
    _ shortage: Capacity.Shortage
  ) throws(SpoolError) -> [(sequence: Int64, row: ItemRow)] {
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
        {
          rows.append(candidate)
          bytes += candidate.row.bytes
          if bytes >= shortage.bytes, rows.count >= shortage.items { return rows }
        }
      }
    }
    return rows
  }

  /// Removes pictures of the quarantine for a person, as many as go into a slice.
  ///
  /// - Returns: the last row's number and how many were removed; `nil` when there is none.
  func deleteQuarantined(
    after last: Int64
  ) throws(SpoolError) -> (last: Int64, count: Int)? {
    let rows = try index.waiting(after: last, limit: Self.rowSlice, states: [.quarantined])
    guard let end = rows.last else { return nil }
    let removable = rows.filter { !isClaimed($0.row.id) }
    try giveUp(removable, .deleted)
    ballast.makeIfRoom(in: layout.root)
    return (end.sequence, removable.count)
  }

  /// Removes one picture for a person.
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
