import GRDB

/// What is looked at of a database before it is believed, so that the start stays short.
///
/// SQLite's check of a whole database reads every page, a gigabyte for a million rows of history. Up
/// to ``wholePages`` that is done; a longer database is checked as far as the queue needs it:
///
/// - every table of which the size does not depend on the history, whole;
/// - of items and deliveries what is in the queue: that each item is found by its ID and each waiting
///   or parked delivery by its index, for what an index has lost would wait for ever. The rows
///   themselves are read by ``Recovery``, which compares each file with them, too.
///
/// What is damaged in the rest of the history is met when it is read or written. SQLite then says
/// that the database is corrupt or a value is not what its column holds; both are taken for
/// ``SpoolError/Code/indexDamaged``, which leaves a mark that has the next start rebuild. A value
/// that is wrong and possible is found by neither way, but for those that the files disprove
/// (``ItemFiles/requireRight(_:)``).
enum IndexCheck {
  /// Up to so many pages of 4 KiB everything is checked: about a second on a slow card.
  static let wholePages = 8192

  /// The tables that stay small.
  private static let smallTables = [
    "meta", "boot", "pause", "audit", "item_tally", "delivery_tally",
    "press_tally", "lost_edges",
  ]

  /// What is wrong with a database; `nil` when nothing was found.
  ///
  /// - Throws: `DatabaseError` when it cannot be read, which may be due to the same.
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

  /// The plus sign keeps SQLite from looking by number what is to be found by ID.
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
