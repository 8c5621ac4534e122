import GRDB

/// The check of a database before it is used, limited so that the start stays short.
///
/// SQLite's check of a whole database reads every page: a gigabyte for a million rows of history.
/// Up to ``wholePages`` pages the whole database is checked. In a longer database only the parts
/// that the queue needs are checked:
///
/// - every table whose size does not depend on the history is checked completely;
/// - each item of the queue must be found by its ID;
/// - each waiting or parked delivery must be found by its index, because a delivery that an index
///   has lost would wait for ever.
///
/// ``Recovery`` reads the rows of the queue and compares the files with them.
///
/// Damage in the rest of the history shows when it is read or written: the database is corrupt, or
/// a value has the wrong type for its column. Both become ``SpoolError/Code/indexDamaged``, which
/// leaves a mark so that the next start rebuilds the index. Neither way finds a wrong value that is
/// possible, except for values that the files disprove (``ItemFiles/requireRight(_:)``).
enum IndexCheck {
  /// The pages of 4 KiB up to which everything is checked: about a second on a slow card.
  static let wholePages = 8192

  /// The tables that stay small.
  private static let smallTables = [
    "meta", "boot", "pause", "audit", "item_tally", "delivery_tally",
    "press_tally", "lost_edges",
  ]

  /// Returns the problem of a database; `nil` when none was found.
  ///
  /// - Throws: `DatabaseError` when the database cannot be read, perhaps because it is damaged.
  /// - Complexity: O(items in the queue) beyond `wholePages`, and O(pages) up to it and before a
  ///   migration, which reads everything anyway.
  static func problem(
    _ database: Database, _ content: IndexSchema.Content, wholePages: Int
  ) throws -> String? {
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    if pages <= wholePages || content != .current {
      return try check(database, "quick_check(1)")
    }
    for table in smallTables {
      if let problem = try check(database, "quick_check(\(table))") { return problem }
    }
    for (sql, problem) in [
      (lostItems, "an item of the queue is not found by its ID"),
      (lostDeliveries("pending"), "its deliveries that wait are not those of its index"),
      (lostDeliveries("parked"), "its parked deliveries are not those of their index"),
    ] where try Bool.fetchOne(database, sql: sql) ?? true {
      return problem
    }
    return nil
  }

  private static func check(_ database: Database, _ pragma: String) throws -> String? {
    let answer = try String.fetchAll(database, sql: "PRAGMA " + pragma)
    return answer == ["ok"] ? nil : answer.prefix(3).joined(separator: "; ")
  }

  /// The query for items that their ID does not find; the plus sign keeps SQLite off the number.
  static let lostItems = """
    SELECT EXISTS (
      SELECT 1 FROM item WHERE state IN ('stored', 'parked') AND NOT EXISTS (
        SELECT 1 FROM item AS same WHERE same.id = item.id AND +same.sequence = item.sequence))
    """

  static func lostDeliveries(_ state: String) -> String {
    """
    SELECT (SELECT COUNT(*) FROM delivery INDEXED BY delivery_\(state) WHERE state = '\(state)')
      <> (SELECT COUNT(*) FROM item CROSS JOIN delivery
        WHERE item.state IN ('stored', 'parked') AND delivery.item = item.sequence
          AND delivery.state = '\(state)')
    """
  }
}
