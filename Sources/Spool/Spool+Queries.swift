extension Spool {
  /// Counts the items in each state.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func counts() throws(SpoolError) -> SpoolCounts {
    try look { storage throws(SpoolError) in try storage.counts() }
  }

  /// Returns the item of a press; the first when there are several.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func item(pressNumber: Int64) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.press(pressNumber)).first }
  }

  /// Returns the item of an ID.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func item(_ id: ItemID) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.id(id)).first }
  }

  /// Returns all items of a press, in the order in which they were stored.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func items(pressNumber: Int64) throws(SpoolError) -> [ItemRecord] {
    try look { storage throws(SpoolError) in try storage.records(.press(pressNumber)) }
  }

  /// Reads the beginning of an item's file; the spool serves other calls meanwhile.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - byteCount: the most bytes, 1 or more.
  /// - Returns: the bytes; `nil` when the file cannot be read, for example because it was
  ///   delivered and removed.
  /// - Throws: ``SpoolError``, code `closed`.
  package func head(of item: ItemRecord, byteCount: Int) async throws(SpoolError) -> [UInt8]? {
    let files = try look { storage throws(SpoolError) in storage.environment.files }
    return try? await heads.head(item.path, byteCount: byteCount, files: files).get()
  }

  /// Returns the newest items of all states, the newest first.
  ///
  /// - Parameter limit: the maximum number of items, 0...10,000; a larger limit counts as 10,000.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package nonisolated func recentItems(limit: Int) async throws(SpoolError) -> [ItemRecord] {
    try await items(limit: limit)
  }

  /// Returns a page of the items of a state, the newest first.
  ///
  /// - Parameters:
  ///   - state: the state that the items must have; `nil` for all states.
  ///   - limit: the maximum number of items, 0...10,000; a larger limit counts as 10,000.
  ///   - before: the ``ItemRecord/sequence`` that the items must be below; `nil` for the first
  ///     page.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(limit), however many items there are. A store meanwhile waits for at most one
  ///   ``slice``, however many listings there are.
  package nonisolated func items(
    state: ItemState? = nil, limit: Int, before: Int64? = nil
  ) async throws(SpoolError) -> [ItemRecord] {
    try await slices(limit, before) { storage, count, before throws(SpoolError) in
      try storage.items(state: state, limit: count, before: before)
    }
  }

  /// Returns the items in the states `stored`, `delivering` and `parked`, the newest first.
  ///
  /// An item that changes between these states meanwhile is not missed.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of items, 0...10,000; a larger limit counts as 10,000.
  ///   - before: the ``ItemRecord/sequence`` that the items must be below; `nil` for the first
  ///     page.
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  /// - Complexity: O(limit), as ``items(state:limit:before:)``.
  package nonisolated func waitingItems(
    limit: Int, before: Int64? = nil
  ) async throws(SpoolError) -> [ItemRecord] {
    try await slices(limit, before) { storage, count, before throws(SpoolError) in
      try storage.waitingItems(limit: count, before: before)
    }
  }

  /// The number of items in one read.
  static let slice = 64

  private typealias Slice =
    @Sendable (SpoolStorage, _ count: Int, _ before: Int64) throws(SpoolError) -> [ItemRecord]

  /// Reads a page slice by slice, so that new pictures can be stored in between.
  private nonisolated func slices(
    _ limit: Int, _ before: Int64?, _ read: @escaping Slice
  ) async throws(SpoolError) -> [ItemRecord] {
    var page: [ItemRecord] = []
    var before = before ?? .max
    let limit = min(limit, 10_000)
    while page.count < limit {
      let count = min(Self.slice, limit - page.count)
      let slice = try await listingTurns.read { [before] () async throws(SpoolError) in
        try await self.slice(count, before, read)
      }
      page += slice
      // A slice may lack rows that cannot be read.
      guard let last = slice.last else { break }
      before = last.sequence
    }
    return page
  }

  /// Returns the press of the newest picture among the newest 64 items; recordings are no pictures.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package nonisolated func latestPicturePress() async throws(SpoolError) -> Int64? {
    let items = try await recentItems(limit: 64)
    return items.first { !$0.metadata.isRecording }?.metadata.pressNumber
  }

  private func slice(
    _ count: Int, _ before: Int64, _ read: Slice
  ) throws(SpoolError) -> [ItemRecord] {
    try look { storage throws(SpoolError) in try read(storage, count, before) }
  }

  /// Returns the queue of a target as the last commit has left it; nothing waits for an unknown one.
  ///
  /// A caller subscribes to ``eventHub`` first. Each later change comes as ``SpoolEvent/queue(_:_:)``.
  ///
  /// - Throws: ``SpoolError``, code `closed`.
  /// - Complexity: O(1); nothing is read.
  package func queue(of target: TargetID) throws(SpoolError) -> QueueState {
    try look { storage throws(SpoolError) in storage.queues[target] ?? QueueState() }
  }

  /// Returns the figures of the whole spool.
  ///
  /// - Throws: ``SpoolError``: `unusable`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(targets), however many items there are.
  package func stats() throws(SpoolError) -> SpoolStatistics {
    try look { storage throws(SpoolError) in try storage.statistics() }
  }

  /// Returns the events of the queue, the newest first.
  ///
  /// - Parameter limit: the maximum number of events; 1000 are kept.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func auditEvents(limit: Int = 1000) throws(SpoolError) -> [AuditEvent] {
    try look { storage throws(SpoolError) in
      try storage.index.auditEvents(limit: max(0, limit))
    }
  }

  /// Removes a picture without a receipt for good, at a person's request.
  ///
  /// The picture must be waiting, parked or quarantined, and not being delivered. The row is kept
  /// as evicted with the reason ``EvictionReason/deleted``, and an ``AuditEvent`` is written. Only
  /// this call and ``deleteQuarantined()`` remove pictures without a receipt at a person's request.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - confirmation: the item as the person has confirmed it.
  /// - Throws: ``SpoolError``: `invalid` when the two IDs differ, `unknownItem`, `notWaiting`,
  ///   `full`, `failed`, `indexDamaged`, `closed`.
  package func delete(_ id: ItemID, confirming confirmation: ItemID) throws(SpoolError) {
    guard id == confirmation else {
      throw SpoolError(
        .invalid, id.description, "is not removed", cause: "\"\(confirmation)\" was confirmed")
    }
    try perform { storage throws(SpoolError) in try storage.delete(id) }
  }

  /// Removes all quarantined pictures for good, at a person's request.
  ///
  /// Each picture is removed as by ``delete(_:confirming:)``, in slices of 64 pictures. Other calls
  /// run in between.
  ///
  /// - Returns: the number of pictures.
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  package func deleteQuarantined() async throws(SpoolError) -> Int {
    var count = 0
    var last: Int64 = 0
    while true {
      let slice = try perform { [last] storage throws(SpoolError) in
        try storage.deleteQuarantined(after: last)
      }
      guard let slice else { return count }
      last = slice.last
      count += slice.count
      await Task.yield()
    }
  }
}
