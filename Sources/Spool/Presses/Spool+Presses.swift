/// The ledger: every press, its outcome and what was measured of it.
extension Spool {
  /// Enters a press, or what has become of one that was entered before; it waits for nothing.
  ///
  /// The entry is written along with the next commit, or by ``writePresses()``. Up to 4096 presses
  /// wait; what comes beyond that while the disk stands still is counted in
  /// ``PressCounts/lostEntries``. The outcome `stored` is written in the transaction in which the
  /// picture's row is, whether this is called or not.
  public nonisolated func enter(_ entry: PressEntry) { intake.enter(entry) }

  /// Enters edges that were lost; it waits for nothing.
  public nonisolated func enter(_ edges: LostEdges) { intake.enter(edges) }

  /// Puts up to 256 of the presses that wait on stable storage, in one transaction.
  ///
  /// - Returns: whether more wait.
  /// - Throws: ``SpoolError``: `full` when the disk is full, and they wait on; `failed`,
  ///   `indexDamaged`, `closed`.
  @discardableResult
  public func writePresses() throws(SpoolError) -> Bool {
    try perform { storage throws(SpoolError) in
      let intake = storage.index.intake
      guard !intake.isEmpty else { return false }
      try storage.index.commit(.presses(min(intake.count, ItemIndex.pressBatch))) { _ in }
      return !intake.isEmpty
    }
  }

  /// Presses of this and of earlier runs, the newest first, written or not.
  ///
  /// The ledger is gone through in slices between which the spool does other things.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(presses that are passed over).
  public nonisolated func presses(_ query: PressQuery) async throws(SpoolError) -> [PressEntry] {
    let limit = max(0, min(query.limit, 10_000))
    var found: [PressEntry] = []
    var before: Int64? = query.before ?? .max
    while let end = before, found.count < limit {
      let slice = try await pressSlice(before: end, after: query.after ?? .min)
      found += slice.entries.filter(query.matches)
      before = slice.next
    }
    return Array(found.prefix(limit))
  }

  /// The entry of one press; `nil` when there is none or it has been pruned.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func press(_ number: Int64) throws(SpoolError) -> PressEntry? {
    try look { storage throws(SpoolError) in
      let waiting = storage.index.intake.entries[number]
      guard var entry = try storage.index.press(number) else { return waiting }
      if let waiting { entry.absorb(waiting) }
      return entry
    }
  }

  /// How many presses ended how.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(reasons), however many presses there are.
  public func pressCounts() throws(SpoolError) -> PressCounts {
    try look { storage throws(SpoolError) in
      var counts = try storage.index.pressCounts()
      counts.lostEntries += storage.index.intake.unwrittenLosses
      return counts
    }
  }

  /// The newest notes of edges that were lost, the newest first; up to 1000 are kept.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func lostEdges(limit: Int = 1000) throws(SpoolError) -> [LostEdges] {
    try look { storage throws(SpoolError) in
      try storage.index.lostEdges(limit: max(0, limit))
    }
  }

  /// Items by their IDs; those that are not known any more are left out.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public nonisolated func items(_ ids: [ItemID]) async throws(SpoolError) -> [ItemID: ItemRecord] {
    var found: [ItemID: ItemRecord] = [:]
    for start in stride(from: 0, to: ids.count, by: 50) {
      let part = Array(ids[start..<min(start + 50, ids.count)])
      found.merge(try await records(part)) { $1 }
    }
    return found
  }

  private func records(_ ids: [ItemID]) throws(SpoolError) -> [ItemID: ItemRecord] {
    var found: [ItemID: ItemRecord] = [:]
    for id in ids { found[id] = try item(id) }
    return found
  }

  /// A slice of the ledger with what is not written of it yet, and where the next one begins.
  private func pressSlice(
    before: Int64, after: Int64
  ) throws(SpoolError) -> (entries: [PressEntry], next: Int64?) {
    try look { storage throws(SpoolError) in
      let rows = try storage.index.presses(before: before, after: after)
      let next = rows.count == ItemIndex.pressSlice ? rows.last?.number : nil
      let lowest = next ?? after
      var waiting = storage.index.intake.entries.filter { number, _ in
        number < before && (number > after) && number >= lowest
      }
      var entries = rows.map { row in
        var entry = row
        if let newer = waiting.removeValue(forKey: row.number) { entry.absorb(newer) }
        return entry
      }
      if !waiting.isEmpty {
        entries += waiting.values
        entries.sort { $0.number > $1.number }
      }
      return (entries, next)
    }
  }
}
