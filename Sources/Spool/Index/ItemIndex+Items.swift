import GRDB

extension ItemIndex {
  /// The row of an item.
  func row(_ id: ItemID) throws(SpoolError) -> ItemRow? {
    try read { try Self.row(id, $0)?.row }
  }

  /// All items that wait for a delivery; by ID, for comparing with the files.
  ///
  /// - Complexity: O(waiting items), however many have been delivered.
  func storedRows() throws(SpoolError) -> [ItemID: ItemRow] {
    try read { database in
      var rows: [ItemID: ItemRow] = [:]
      let cursor = try Row.fetchCursor(
        database, sql: "SELECT * FROM item WHERE state = 'stored'")
      while let row = try cursor.next().flatMap(ItemRow.init) { rows[row.id] = row }
      return rows
    }
  }

  /// The number of this boot, which is a new one when the kernel's ID is.
  func boot(id bootID: String, after limit: Int64) throws(SpoolError) -> Int64 {
    let known = try read { database in
      try Int64.fetchOne(
        database, sql: "SELECT number FROM boot WHERE boot_id = ?", arguments: [bootID])
    }
    if let known { return known }
    return try commit(.boot) { database in
      let last = try Int64.fetchOne(database, sql: "SELECT MAX(number) FROM boot") ?? 0
      let number = max(last, limit) + 1
      try database.execute(sql: "INSERT INTO boot VALUES (?, ?)", arguments: [number, bootID])
      return number
    }
  }

  /// The largest sequence and press numbers given out.
  func lastNumbers() throws(SpoolError) -> (sequence: Int64, press: Int64) {
    try read { database in
      (
        max(
          try ItemRow.number("last_sequence", database),
          try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM item") ?? 0),
        max(
          try ItemRow.number("last_press", database),
          try Int64.fetchOne(
            database,
            sql: "SELECT MAX(press_number) FROM item WHERE press_number IS NOT NULL") ?? 0)
      )
    }
  }

  /// Takes an item out of the queue; its files are moved afterwards.
  func quarantine(_ id: ItemID, _ reason: QuarantineReason) throws(SpoolError) {
    try commit(.quarantine(id)) { database in
      guard let (sequence, _) = try Self.row(id, database) else { throw Self.unknown(id) }
      try database.cachedStatement(
        sql: "UPDATE item SET state = 'quarantined', quarantine_reason = ? WHERE sequence = ?"
      ).execute(arguments: [reason.rawValue, sequence])
      try database.cachedStatement(
        sql: "UPDATE delivery SET state = 'quarantined' WHERE item = ? AND state = 'pending'"
      ).execute(arguments: [sequence])
    }
  }

  /// What the counters start from.
  ///
  /// - Complexity: O(items in history), one pass over an index; read once, at the start.
  func totals() throws(SpoolError) -> [ItemRow.State: (count: Int, bytes: Int64)] {
    try read { database in
      var totals: [ItemRow.State: (count: Int, bytes: Int64)] = [:]
      for row in try Row.fetchAll(
        database, sql: "SELECT state, COUNT(*) AS n, SUM(bytes) AS bytes FROM item GROUP BY state")
      {
        guard let state = ItemRow.State(rawValue: row["state"] as String) else { continue }
        totals[state] = (row["n"], row["bytes"])
      }
      return totals
    }
  }

  static func row(
    _ id: ItemID, _ database: Database
  ) throws -> (sequence: Int64, row: ItemRow)? {
    guard
      let found = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM item WHERE id = ?"),
        arguments: [id.description]),
      let row = ItemRow(found)
    else { return nil }
    return (found["sequence"], row)
  }

  static func unknown(_ id: ItemID) -> SpoolError {
    SpoolError(.unknownItem, id.description, "is no item of this spool")
  }
}
