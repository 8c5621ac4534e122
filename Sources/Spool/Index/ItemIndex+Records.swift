import GRDB

extension ItemIndex {
  /// Which items to look up.
  enum Selection {
    case id(ItemID)
    case press(Int64)
    /// The newest, the newest first.
    case newest(Int)
  }

  /// Looks items up with their deliveries; the state is the row's, claims are not known here.
  func records(_ selection: Selection) throws(SpoolError) -> [(row: ItemRow, [DeliveryRecord])] {
    try read { database in
      let rows: [Row] =
        switch selection {
        case .id(let id):
          try Row.fetchAll(
            database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.description])
        case .press(let number):
          try Row.fetchAll(
            database, sql: "SELECT * FROM item WHERE press_number = ? ORDER BY sequence LIMIT 100",
            arguments: [number])
        case .newest(let count):
          try Row.fetchAll(
            database, sql: "SELECT * FROM item ORDER BY sequence DESC LIMIT ?",
            arguments: [max(0, count)])
        }
      return try rows.compactMap { found in
        guard let row = ItemRow(found) else { return nil }
        return (row, try Self.deliveries(sequence: found["sequence"], database))
      }
    }
  }

  private static func deliveries(
    sequence: Int64, _ database: Database
  ) throws -> [DeliveryRecord] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM delivery WHERE item = ? ORDER BY target"),
      arguments: [sequence]
    ).map { row in
      DeliveryRecord(
        target: TargetID(rawValue: row["target"]), attempts: row["attempts"],
        lastFailure: (row["last_failure"] as String?).flatMap {
          try? SpoolJSON.decode(DeliveryFailure.self, $0)
        },
        receipt: (row["receipt"] as String?).flatMap { try? SpoolJSON.decode(Receipt.self, $0) })
    }
  }
}
