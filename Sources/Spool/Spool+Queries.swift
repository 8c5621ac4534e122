extension Spool {
  /// How many items are in which state.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func counts() throws(SpoolError) -> SpoolCounts {
    try look { storage throws(SpoolError) in try storage.counts() }
  }

  /// The item of a press; the first when there are several.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func item(pressNumber: Int64) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.press(pressNumber)).first }
  }

  /// The item of an ID.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func item(_ id: ItemID) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.id(id)).first }
  }

  /// The newest items in whatever state, the newest first.
  ///
  /// - Parameter limit: how many at most, 0...10,000; more are not given.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public nonisolated func recentItems(limit: Int) async throws(SpoolError) -> [ItemRecord] {
    try await items(limit: limit)
  }

  /// Items of a state, the newest first, page by page.
  ///
  /// - Parameters:
  ///   - state: only these; `nil` for all.
  ///   - limit: how many at most, 0...10,000; more are not given.
  ///   - before: only items older than this ``ItemRecord/sequence``; `nil` for the first page.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(limit), however many items there are. What is to be stored meanwhile waits for a
  ///   ``slice`` of them at most, for each that looks.
  public nonisolated func items(
    state: ItemState? = nil, limit: Int, before: Int64? = nil
  ) async throws(SpoolError) -> [ItemRecord] {
    try await slices(limit, before) { storage, count, before throws(SpoolError) in
      try storage.items(state: state, limit: count, before: before)
    }
  }

  /// Items without all their receipts, `stored`, `delivering` and `parked`, the newest first.
  ///
  /// None is missed because it changes between these states meanwhile.
  ///
  /// - Parameters:
  ///   - limit: how many at most, 0...10,000; more are not given.
  ///   - before: only items older than this ``ItemRecord/sequence``; `nil` for the first page.
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  /// - Complexity: O(limit), as ``items(state:limit:before:)``.
  public nonisolated func waitingItems(
    limit: Int, before: Int64? = nil
  ) async throws(SpoolError) -> [ItemRecord] {
    try await slices(limit, before) { storage, count, before throws(SpoolError) in
      try storage.waitingItems(limit: count, before: before)
    }
  }

  /// How many items are read in one go.
  static let slice = 64

  private typealias Slice =
    @Sendable (SpoolStorage, _ count: Int, _ before: Int64) throws(SpoolError) -> [ItemRecord]

  /// Reads a page slice by slice, so that a picture that is to be stored comes in between.
  private nonisolated func slices(
    _ limit: Int, _ before: Int64?, _ read: Slice
  ) async throws(SpoolError) -> [ItemRecord] {
    var page: [ItemRecord] = []
    var before = before ?? .max
    let limit = min(limit, 10_000)
    while page.count < limit {
      let count = min(Self.slice, limit - page.count)
      let slice = try await self.slice(count, before, read)
      page += slice
      // A slice may lack rows that cannot be read.
      guard let last = slice.last else { break }
      before = last.sequence
    }
    return page
  }

  private func slice(
    _ count: Int, _ before: Int64, _ read: Slice
  ) throws(SpoolError) -> [ItemRecord] {
    try look { storage throws(SpoolError) in try read(storage, count, before) }
  }

  /// Figures of everything.
  ///
  /// - Throws: ``SpoolError``: `unusable`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(targets), however many items there are.
  public func stats() throws(SpoolError) -> SpoolStatistics {
    try look { storage throws(SpoolError) in try storage.statistics() }
  }

  /// What has happened to the queue, the newest first.
  ///
  /// - Parameter limit: how many at most; 1000 are kept.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func auditEvents(limit: Int = 1000) throws(SpoolError) -> [AuditEvent] {
    try look { storage throws(SpoolError) in
      try storage.index.auditEvents(limit: max(0, limit))
    }
  }

  /// Removes a picture that has no receipt, for good, because a person wants it so.
  ///
  /// It must be waiting, parked or quarantined, and not being delivered. The row is kept as evicted
  /// with the reason ``EvictionReason/deleted``, and an ``AuditEvent`` is written. Nothing else that
  /// a person can ask for removes what has no receipt, but ``deleteQuarantined()``.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - confirmation: the item once more, as the person has confirmed it.
  /// - Throws: ``SpoolError``: `invalid` when the two differ, `unknownItem`, `notWaiting`, `full`,
  ///   `failed`, `indexDamaged`, `closed`.
  public func delete(_ id: ItemID, confirming confirmation: ItemID) throws(SpoolError) {
    guard id == confirmation else {
      throw SpoolError(
        .invalid, id.description, "is not removed", cause: "\"\(confirmation)\" was confirmed")
    }
    try perform { storage throws(SpoolError) in try storage.delete(id) }
  }

  /// Removes what is quarantined, for good, because a person wants it so; each as
  /// ``delete(_:confirming:)`` does.
  ///
  /// It works in slices of 64 pictures, and other calls go on in between.
  ///
  /// - Returns: how many pictures.
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  public func deleteQuarantined() async throws(SpoolError) -> Int {
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
