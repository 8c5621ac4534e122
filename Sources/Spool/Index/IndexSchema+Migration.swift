import GRDB

extension IndexSchema {
  /// Migrates a database of an older version; must be called in a transaction.
  ///
  /// - Parameters:
  ///   - found: the database's version, 1 to 5.
  ///   - presses: the number of presses that the ledger holds.
  /// - Complexity: O(items in history) from version 1, O(presses) from version 2, once.
  static func migrate(_ database: Database, from found: Int64, presses: Int) throws {
    if found == 1 { try migrateVersion1(database) }
    if found >= 3 {
      let columns = [PressTables.adjusting, PressTables.warnings, PressTables.bracket]
      for column in columns.dropFirst(Int(found) - 3) {
        try database.execute(sql: "ALTER TABLE press ADD COLUMN \(column)")
      }
    } else {
      for object in PressTables.objects { try database.execute(sql: object.sql) }
      try enterPresses(database, limit: presses)
    }
    try database.execute(
      sql: "UPDATE meta SET value = ? WHERE key = 'schema_version'", arguments: [version])
  }

  /// Enters the newest presses that have pictures.
  ///
  /// Version 2 had no ledger, so its refused presses are unknown.
  private static func enterPresses(_ database: Database, limit: Int) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT * FROM item WHERE press_number IS NOT NULL ORDER BY sequence DESC LIMIT ?
        """, arguments: [limit])
    var entries: [PressEntry] = []
    while let row = try rows.next() {
      if let entry = ItemRow(row).flatMap({ PressEntry($0) }) { entries.append(entry) }
    }
    // The oldest come first, so that the pictures of one press keep their order.
    for entry in entries.reversed() { try PressRow.write(entry, database) }
  }
}
