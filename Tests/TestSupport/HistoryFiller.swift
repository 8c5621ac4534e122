/// Rows of items that are gone, or that wait without their files, written by another program.
package enum HistoryFiller {
  /// Adds rows to the database of a closed spool, in one transaction.
  ///
  /// - Parameters:
  ///   - database: the path of the database.
  ///   - items: the number of rows, 1 or more.
  ///   - isWaiting: whether the items wait; otherwise they are delivered and removed.
  /// - Throws: ``Tool/Failure`` when the database refuses the rows.
  package static func fill(_ database: String, items: Int, isWaiting: Bool = false) throws {
    let sql = "BEGIN; \(sql(items: items, isWaiting: isWaiting)) COMMIT;"
    _ = try Tool.output(of: "sqlite3", ["-bail", database, sql])
  }

  /// Returns the statements that add rows, whose sequence numbers begin after 1,000,000.
  ///
  /// - Parameters:
  ///   - items: the number of rows, 1 or more.
  ///   - isWaiting: whether the items wait; otherwise they are delivered and removed.
  package static func sql(items: Int, isWaiting: Bool) -> String {
    let (item, delivery) = isWaiting ? ("stored", "pending") : ("purged", "done")
    return """
      WITH RECURSIVE n(i) AS (SELECT 1000001 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000 + \(items))
      INSERT INTO item SELECT i, printf('000001-%010d-%016x', i, i), i, 'jpg', 1000 + i % 7,
        randomblob(32), 'rig-1/' || i, '{}', '\(item)', NULL, NULL FROM n;
      INSERT INTO delivery SELECT sequence, 'primary', '\(delivery)', 1, 0, NULL, NULL,
        \(isWaiting ? "NULL" : "'{}'") FROM item WHERE sequence > 1000000;
      UPDATE meta SET value = 1000000 + \(items) WHERE key IN ('last_sequence', 'last_press');
      """
  }
}
