import GRDB

extension ItemIndex {
  /// The row of an item.
  func row(_ id: ItemID) throws(SpoolError) -> ItemRow? {
    try read { try Self.row(id, $0)?.row }
  }

  /// The number of an item in the order of all.
  func sequence(of id: ItemID) throws(SpoolError) -> Int64? {
    try read { try Self.row(id, $0)?.sequence }
  }

  /// All items that wait or are parked; by ID, for comparing with the files.
  ///
  /// - Complexity: O(waiting items), however many have been delivered.
  func waitingRows() throws(SpoolError) -> [ItemID: ItemRow] {
    try read { database in
      var rows: [ItemID: ItemRow] = [:]
      let cursor = try Row.fetchCursor(
        database, sql: "SELECT * FROM item WHERE state IN ('stored', 'parked')")
      while let row = try cursor.next().flatMap(ItemRow.init) { rows[row.id] = row }
      return rows
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
        sql: "UPDATE item SET state = 'quarantined', reason = ? WHERE sequence = ?"
      ).execute(arguments: [reason.rawValue, sequence])
      try database.cachedStatement(
        sql: """
          UPDATE delivery SET state = 'quarantined' WHERE item = ? AND state IN ('pending', 'parked')
          """
      ).execute(arguments: [sequence])
      try audit(.quarantined, item: id, detail: reason.rawValue, database)
    }
  }

  /// The oldest items that wait or are parked, after a place in the order.
  ///
  /// - Complexity: O(limit), however many there are.
  func waiting(
    after sequence: Int64, limit: Int
  ) throws(SpoolError) -> [(sequence: Int64, row: ItemRow)] {
    try read { database in
      var found: [(sequence: Int64, row: ItemRow)] = []
      for state in [ItemRow.State.stored, .parked] {
        let rows = try Row.fetchAll(
          database.cachedStatement(sql: Self.waitingSQL),
          arguments: [state.rawValue, sequence, limit])
        found += rows.compactMap { row in ItemRow(row).map { (row["sequence"], $0) } }
      }
      return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }
  }

  static let waitingSQL = """
    SELECT * FROM item WHERE state = ? AND sequence > ? ORDER BY sequence LIMIT ?
    """

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
