import Devices
import GRDB

/// The ledger's rows, written with other commits or in commits of their own.
extension ItemIndex {
  /// The maximum number of entries that another transaction carries.
  static let carriedPresses = 32
  /// The maximum number of entries in one commit of their own.
  static let pressBatch = 256
  /// The maximum number of presses that one commit prunes beyond the number it writes.
  static let prunedPresses = 16
  /// The number of notes of lost edges that are kept.
  static let lostEdgesLimit: Int64 = 1000
  /// The number of rows in one read.
  static let pressSlice = 500

  /// Writes a batch in the transaction that is under way.
  func write(_ batch: PressQueue.Batch, _ database: Database) throws {
    for entry in batch.entries { try PressRow.write(entry, database) }
    if batch.lostEntries > 0 {
      let lost = try ItemRow.number("lost_presses", database)
      try ItemRow.setNumber("lost_presses", lost + Int64(batch.lostEntries), database)
    }
    for edges in batch.lostEdges { try Self.write(edges, database) }
  }

  private static func write(_ edges: LostEdges, _ database: Database) throws {
    let last =
      try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(number) FROM lost_edges")) ?? 0
    try database.cachedStatement(sql: "INSERT INTO lost_edges VALUES (?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: [
        last + 1, edges.time.bootID, edges.time.monotonicNanoseconds, edges.time.wallNanoseconds,
        edges.time.wallTrust.rawValue, String(edges.button.prefix(PressEntry.wordLimit)),
        edges.count,
      ])
    try database.cachedStatement(sql: "DELETE FROM lost_edges WHERE number <= ?").execute(
      arguments: [last + 1 - lostEdgesLimit])
    let (sum, overflow) = try ItemRow.number("lost_edges", database)
      .addingReportingOverflow(edges.count)
    try ItemRow.setNumber("lost_edges", overflow ? .max : sum, database)
  }

  /// Removes the oldest finished presses beyond the limit, a few at a time; every commit calls it.
  ///
  /// - Complexity: O(written), however many presses there are.
  func prunePresses(written: Int, _ database: Database) throws {
    guard history.mayPrune, database.totalChangesCount >= history.pressesDue else { return }
    let kept =
      try Int.fetchOne(database.cachedStatement(sql: "SELECT SUM(kept) FROM press_tally")) ?? 0
    let excess = min(kept - pressLimit, written + Self.prunedPresses)
    guard excess > 0 else {
      history.pressesDue = database.totalChangesCount + pressLimit - kept + 1
      return
    }
    try database.cachedStatement(sql: Self.prunePressesSQL).execute(arguments: [-1, excess])
  }

  static let prunePressesSQL = """
    DELETE FROM press WHERE number IN (
      SELECT number FROM press WHERE number > ? AND outcome IS NOT NULL ORDER BY number LIMIT ?)
    """

  /// Gives the unfinished presses of earlier runs an outcome.
  ///
  /// The outcome is the pictures that have the press's number, or else the end of the service. A
  /// full disk stops no start for the presses' sake: the next start settles them.
  ///
  /// - Parameters:
  ///   - last: the last press of an earlier run.
  ///   - excluded: the presses whose recordings may still be stored, which stay unfinished.
  /// - Returns: the number of presses.
  func settlePresses(
    through last: Int64, except excluded: Set<Int64>
  ) throws(SpoolError) -> Int {
    let isSettled = """
      outcome IS NULL AND number <= ?
        AND number NOT IN (\(excluded.map { "\($0)" }.joined(separator: ", ")))
      """
    let count = try read { database in
      try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM press WHERE \(isSettled)", arguments: [last]) ?? 0
    }
    guard count > 0 else { return 0 }
    do throws(SpoolError) {
      try commit(.presses(count)) { database in
        try database.execute(
          sql: """
            UPDATE press SET outcome = 'stored', items = (
                SELECT group_concat(id, ' ') FROM (
                  SELECT id FROM item WHERE press_number = press.number ORDER BY sequence LIMIT ?))
              WHERE \(isSettled)
                AND EXISTS (SELECT 1 FROM item WHERE press_number = press.number)
            """, arguments: [PressEntry.itemLimit, last])
        try database.execute(
          sql: "UPDATE press SET outcome = 'refused', reason = ? WHERE \(isSettled)",
          arguments: [PressEntry.serviceEnded, last])
      }
      return count
    } catch  where error.code == .full {
      return 0
    }
  }

  /// Returns the next slice of the ledger, the newest first.
  func presses(before: Int64, after: Int64) throws(SpoolError) -> [PressEntry] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(sql: Self.pressesSQL), arguments: [before, after, Self.pressSlice])
      return try Array(rows.map { try PressRow.entry($0, database) })
    }
  }

  static let pressesSQL = """
    SELECT * FROM press WHERE number < ? AND number > ? ORDER BY number DESC LIMIT ?
    """

  /// Returns the entry of a press.
  func press(_ number: Int64) throws(SpoolError) -> PressEntry? {
    try read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM press WHERE number = ?"), arguments: [number]
      ).map { try PressRow.entry($0, database) }
    }
  }

  /// Counts the presses by outcome and reason, and the lost entries and edges.
  ///
  /// - Complexity: O(reasons).
  func pressCounts() throws(SpoolError) -> PressCounts {
    try read { database in
      let counts = try Row.fetchAll(
        database,
        sql: "SELECT * FROM press_tally ORDER BY kept + pruned DESC, outcome, reason"
      ).compactMap { row -> PressCounts.Count? in
        guard let outcome = PressQuery.Outcome(rawValue: try row.decode(forColumn: "outcome"))
        else { return nil }
        let reason = try row.decode(String.self, forColumn: "reason")
        return PressCounts.Count(
          outcome: outcome, reason: reason.isEmpty ? nil : reason,
          kept: try row.decode(forColumn: "kept"), pruned: try row.decode(forColumn: "pruned"))
      }
      return PressCounts(
        counts: counts.filter { $0.kept + $0.pruned > 0 },
        lostEntries: Int(try ItemRow.number("lost_presses", database)),
        lostEdges: Int(try ItemRow.number("lost_edges", database)), limit: pressLimit)
    }
  }

  /// Returns the newest notes of lost edges, the newest first.
  func lostEdges(limit: Int) throws(SpoolError) -> [LostEdges] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT * FROM lost_edges ORDER BY number DESC LIMIT ?"), arguments: [limit]
      ).map { row in
        LostEdges(
          button: try row.decode(forColumn: "button"), count: try row.decode(forColumn: "edges"),
          time: try PressRow.time(row, database))
      }
    }
  }
}

extension PressEntry {
  /// The reason of a press that was in flight when the service or the power ended.
  package static let serviceEnded = "serviceEnded"
}
