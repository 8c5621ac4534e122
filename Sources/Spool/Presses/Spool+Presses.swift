/// The ledger: every press with its outcome and its measured values.
extension Spool {
  /// Enters a press, or new facts of an earlier entry, without waiting for the disk.
  ///
  /// The next commit or ``writePresses()`` writes the entry. Up to 4096 presses wait. Further
  /// presses while the disk stands still are counted in ``PressCounts/lostEntries``. The outcome
  /// `stored` is written in the transaction of the picture's row, even without this call.
  package nonisolated func enter(_ entry: PressEntry) { intake.enter(entry) }

  /// The presses without an outcome that wait to be written.
  ///
  /// After a full disk, no other commit takes presses along, and all waiting presses count.
  package nonisolated var pressesInFlight: Set<Int64> { intake.inFlight }

  /// Enters lost edges, without waiting for the disk.
  package nonisolated func enter(_ edges: LostEdges) { intake.enter(edges) }

  /// Writes up to 256 of the waiting presses to stable storage, in one transaction.
  ///
  /// - Returns: whether more wait.
  /// - Throws: ``SpoolError``: `full` when the disk is full, and the presses keep waiting;
  ///   `failed`, `indexDamaged`, `closed`.
  @discardableResult
  package func writePresses() throws(SpoolError) -> Bool {
    try perform { storage throws(SpoolError) in
      let intake = storage.index.intake
      guard !intake.isEmpty else { return false }
      try storage.index.commit(.presses(min(intake.count, ItemIndex.pressBatch))) { _ in }
      return !intake.isEmpty
    }
  }

  /// Returns presses of this and of earlier runs, the newest first, written or not.
  ///
  /// The ledger is read in slices, and the spool serves other calls between them.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(presses read).
  package nonisolated func presses(_ query: PressQuery) async throws(SpoolError) -> [PressEntry] {
    let limit = max(0, min(query.limit, 10_000))
    var found: [PressEntry] = []
    var before: Int64? = query.before ?? .max
    while let end = before, found.count < limit {
      let slice = try await listingTurns.read { () async throws(SpoolError) in
        try await self.pressSlice(before: end, after: query.after ?? .min)
      }
      found += slice.entries.filter(query.matches)
      before = slice.next
    }
    return Array(found.prefix(limit))
  }

  /// Returns the entry of one press; `nil` when there is none or it has been pruned.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func press(_ number: Int64) throws(SpoolError) -> PressEntry? {
    try look { storage throws(SpoolError) in try storage.press(number) }
  }

  /// Counts the presses by outcome and reason.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(reasons), however many presses there are.
  package func pressCounts() throws(SpoolError) -> PressCounts {
    try look { storage throws(SpoolError) in
      var counts = try storage.index.pressCounts()
      counts.lostEntries += storage.index.intake.unwrittenLosses
      return counts
    }
  }

  /// Returns the newest notes of lost edges, the newest first; up to 1000 are kept.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func lostEdges(limit: Int = 1000) throws(SpoolError) -> [LostEdges] {
    try look { storage throws(SpoolError) in
      try storage.index.lostEdges(limit: max(0, limit))
    }
  }

  /// Returns items by their IDs, without the items that are no longer known.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package nonisolated func items(_ ids: [ItemID]) async throws(SpoolError) -> [ItemID: ItemRecord] {
    var found: [ItemID: ItemRecord] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.slice) {
      let part = Array(ids[start..<min(start + Self.slice, ids.count)])
      let records = try await listingTurns.read { () async throws(SpoolError) in
        try await self.records(part)
      }
      found.merge(records) { $1 }
    }
    return found
  }

  private func records(_ ids: [ItemID]) throws(SpoolError) -> [ItemID: ItemRecord] {
    var found: [ItemID: ItemRecord] = [:]
    for id in ids { found[id] = try item(id) }
    return found
  }

  /// Returns a slice of the ledger with its unwritten entries, and the bound of the next slice.
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
