import Digests

extension SpoolStorage {
  /// Reads the counters, with a separate count of the items that are being delivered.
  func counts() throws(SpoolError) -> SpoolCounts {
    let tally = try index.tally()
    let delivering = claims.values.reduce(into: Set<ItemID>()) { $0.formUnion($1.keys) }.count
    return SpoolCounts(
      stored: max(0, tally[.stored].count - delivering), delivering: delivering,
      delivered: tally[.delivered].count + tally[.purged].count + tally.prunedDelivered,
      quarantined: tally[.quarantined].count, bytesWaiting: tally.waiting.bytes,
      parked: tally[.parked].count, evicted: tally[.evicted].count + tally.prunedEvicted,
      proxies: proxies.count, keptProxies: try index.keptProxies())
  }

  /// Looks items up.
  func records(_ selection: ItemIndex.Selection) throws(SpoolError) -> [ItemRecord] {
    try index.records(selection).map(record)
  }

  /// Returns the ledger's entry of a press, written or not.
  func press(_ number: Int64) throws(SpoolError) -> PressEntry? {
    let waiting = index.intake.entries[number]
    guard var entry = try index.press(number) else { return waiting }
    if let waiting { entry.absorb(waiting) }
    return entry
  }

  /// Returns the first picture of the first press that has one, even if that picture is gone.
  ///
  /// A press that cannot be read counts as a press without a picture, and so does one that began a
  /// recording.
  func item(ofFirstOf presses: [Int64]) -> ItemID? {
    for number in presses {
      let found = (try? index.records(.press(number))) ?? []
      if let picture = found.first(where: { !$0.row.metadata.isRecording }) {
        return picture.row.id
      }
      if found.isEmpty, let item = try? press(number)?.items.first { return item }
    }
    return nil
  }

  /// Returns items of a state, the newest first.
  func items(state: ItemState?, limit: Int, before: Int64) throws(SpoolError) -> [ItemRecord] {
    guard let state else { return try records(.newest(limit, before: before)) }
    guard let rowState = ItemRow.State(rawValue: state.rawValue) else {
      // Items that are being delivered come from the claims, which are few and known only here.
      return Array(try delivering().filter { $0.sequence < before }.prefix(limit))
    }
    let claimed = rowState == .stored ? claims.values.reduce(0) { $0 + $1.count } : 0
    let found = try records(.newest(limit + claimed, states: [rowState], before: before))
    return Array(found.filter { $0.state == state }.prefix(limit))
  }

  /// Returns the waiting and parked items, the newest first.
  func waitingItems(limit: Int, before: Int64) throws(SpoolError) -> [ItemRecord] {
    try records(.newest(limit, states: [.stored, .parked], before: before))
  }

  private func delivering() throws(SpoolError) -> [ItemRecord] {
    var records: [ItemRecord] = []
    for id in claims.values.reduce(into: Set<ItemID>(), { $0.formUnion($1.keys) }) {
      records += try self.records(.id(id)).filter { $0.state == .delivering }
    }
    return records.sorted { $0.sequence > $1.sequence }
  }

  private func record(_ found: ItemIndex.Found) -> ItemRecord {
    var row = found.row
    if proxies[row.id] == nil { row.metadata.proxy = nil }
    let state: ItemState =
      switch row.state {
      case .stored: isClaimed(row.id) ? .delivering : .stored
      case .parked: .parked
      case .delivered: .delivered
      case .purged: .purged
      case .quarantined: .quarantined
      case .evicted: .evicted
      }
    return ItemRecord(
      id: row.id, sequence: found.sequence, state: state, quarantineReason: row.quarantineReason,
      evictionReason: row.state == .evicted ? row.reason.map(EvictionReason.init) : nil,
      path: layout.image(row.id, row.fileExtension), byteCount: row.bytes,
      sha256: row.sha256.hexadecimal, remoteName: row.remoteName, duplicateOf: row.duplicateOf,
      metadata: row.metadata, captured: found.captured, deliveries: found.deliveries)
  }

  /// Returns the figures of the whole spool.
  func statistics() throws(SpoolError) -> SpoolStatistics {
    let tally = try index.tally()
    let room: FileSystemRoom
    do throws(FileSystemError) {
      room = try environment.files.room(layout.root)
    } catch {
      throw SpoolError(.unusable, error.path, error.call.problem, cause: error.message)
    }
    var states: [SpoolStatistics.State] = []
    for state in ItemRow.State.allCases {
      guard let shown = ItemState(rawValue: state.rawValue) else { continue }
      states.append(
        SpoolStatistics.State(state: shown, items: tally[state].count, bytes: tally[state].bytes))
    }
    let deliveries = try index.deliveryTally()
    let targets = Set(deliveries.keys).union(configuration.targets).map { target in
      let counts = deliveries[target] ?? [:]
      return SpoolStatistics.Target(
        target: target, isConfigured: configuration.targets.contains(target),
        pending: counts[.pending] ?? 0, claimed: claims[target]?.count ?? 0,
        parked: counts[.parked] ?? 0, done: counts[.done] ?? 0)
    }.sorted { $0.target.rawValue < $1.target.rawValue }
    let oldest = try index.waiting(after: 0, limit: 1).first.map { $0.row }
    return SpoolStatistics(
      counts: try counts(), states: states, targets: targets, oldestWaiting: oldest?.id,
      oldestWaitingAgeNanoseconds: oldest.flatMap(age), isBallastPresent: ballast.isPresent,
      freeBytes: room.freeBytes, freeFiles: room.freeFiles,
      historyRows: tally[.purged].count + tally[.evicted].count, boots: try index.bootCount(),
      boot: boot, isClockSynchronized: boots.boots.contains { $0.number == boot })
  }

  /// Returns the age of a picture, in nanoseconds; `nil` when it was taken in another boot.
  private func age(_ row: ItemRow) -> Int64? {
    let captured = row.metadata.captured
    guard captured.bootID == bootID, let monotonic = captured.monotonicNanoseconds else {
      return nil
    }
    return max(0, environment.monotonicNanoseconds() - max(0, monotonic))
  }
}
