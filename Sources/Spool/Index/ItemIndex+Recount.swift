import GRDB

/// The recount of every row, a slice at a time, while the queue keeps working.
///
/// Temporary tables of this connection hold the counts up to a place in the order. Triggers on the
/// counted rows keep these counts right, so both sets of counters must agree at the end. No other
/// call waits longer than for one slice. The next recount continues an unfinished one.
extension ItemIndex {
  /// The number of items counted in one slice.
  static let countSlice = 1000

  /// Counts the next slice.
  ///
  /// - Parameter isRepaired: whether wrong counters are corrected at the end.
  /// - Returns: whether the counters were right, at the end; `nil` before the end.
  /// - Complexity: O(slice), however long the history is.
  func countSlice(repair isRepaired: Bool) throws(SpoolError) -> Bool? {
    let isLast = try own { database in
      if try Int64.fetchOne(database, sql: Self.countingSQL) == nil {
        try Self.beginCounting(database)
      }
      return try Self.count(database)
    }
    guard isLast else { return nil }
    let isRight = try own { try Self.isAgreed($0) }
    if !isRight, isRepaired {
      try commit(.recount) { database in
        for statement in [
          "DELETE FROM item_tally", "DELETE FROM delivery_tally",
          "INSERT INTO item_tally SELECT * FROM counted_item WHERE items <> 0",
          "INSERT INTO delivery_tally SELECT * FROM counted_delivery WHERE deliveries <> 0",
        ] {
          try database.execute(sql: statement)
        }
      }
    }
    try own { try Self.endCounting($0) }
    return isRight
  }

  private static let tables = ["counted_to", "counted_item", "counted_delivery"]
  private static let countingSQL =
    "SELECT 1 FROM sqlite_temp_master WHERE name = 'counted_to'"
  private static let triggers = TallyTriggers(
    prefix: "counting_", items: "counted_item", deliveries: "counted_delivery",
    isTemporary: true, condition: "? <= (SELECT sequence FROM counted_to)")

  private static func beginCounting(_ database: Database) throws {
    for statement in [
      "CREATE TEMP TABLE counted_to (sequence INTEGER NOT NULL)",
      "INSERT INTO counted_to VALUES (0)",
      """
      CREATE TEMP TABLE counted_item (
        state TEXT PRIMARY KEY NOT NULL, items INTEGER NOT NULL, bytes INTEGER NOT NULL
      ) WITHOUT ROWID
      """,
      """
      CREATE TEMP TABLE counted_delivery (
        target TEXT NOT NULL, state TEXT NOT NULL, deliveries INTEGER NOT NULL,
        PRIMARY KEY (target, state)
      ) WITHOUT ROWID
      """,
    ] {
      try database.execute(sql: statement)
    }
    for trigger in triggers.objects { try database.execute(sql: trigger.sql) }
  }

  private static func endCounting(_ database: Database) throws {
    for trigger in triggers.objects { try database.execute(sql: "DROP TRIGGER \(trigger.name)") }
    for table in tables { try database.execute(sql: "DROP TABLE \(table)") }
  }

  static let countItemsSQL = """
    INSERT INTO counted_item
      SELECT state, COUNT(*), SUM(bytes) FROM item WHERE sequence > ? AND sequence <= ?
      GROUP BY state
      ON CONFLICT (state) DO UPDATE SET items = items + excluded.items,
        bytes = bytes + excluded.bytes
    """
  static let countDeliveriesSQL = """
    INSERT INTO counted_delivery
      SELECT target, state, COUNT(*) FROM delivery WHERE item > ? AND item <= ?
      GROUP BY target, state
      ON CONFLICT (target, state) DO UPDATE SET deliveries = deliveries + excluded.deliveries
    """

  /// - Returns: whether the slice was the last one.
  private static func count(_ database: Database) throws -> Bool {
    let last = try Int64.fetchOne(database, sql: "SELECT sequence FROM counted_to") ?? 0
    let next = try Int64.fetchOne(
      database,
      sql: "SELECT sequence FROM item WHERE sequence > ? ORDER BY sequence LIMIT 1 OFFSET ?",
      arguments: [last, countSlice - 1])
    for sql in [countItemsSQL, countDeliveriesSQL] {
      try database.execute(sql: sql, arguments: [last, next ?? .max])
    }
    try database.execute(sql: "UPDATE counted_to SET sequence = ?", arguments: [next ?? .max])
    return next == nil
  }

  private static func isAgreed(_ database: Database) throws -> Bool {
    for (counted, kept, number) in [
      ("counted_item", "item_tally", "items"),
      ("counted_delivery", "delivery_tally", "deliveries"),
    ] {
      for (one, other) in [(counted, kept), (kept, counted)] {
        let sql = """
          SELECT EXISTS (
            SELECT * FROM \(one) WHERE \(number) <> 0
            EXCEPT SELECT * FROM \(other) WHERE \(number) <> 0)
          """
        if try Bool.fetchOne(database, sql: sql) ?? true { return false }
      }
    }
    return true
  }
}
