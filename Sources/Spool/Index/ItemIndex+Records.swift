import GRDB

extension ItemIndex {
  /// The items to look up.
  enum Selection {
    case id(ItemID)
    case press(Int64)
    /// The newest items of some states, or of all states, before a place in the order.
    case newest(Int, states: [ItemRow.State]? = nil, before: Int64 = .max)
  }

  /// A row with its data from other tables.
  struct Found {
    var sequence: Int64
    var row: ItemRow
    var captured: CaptureTime
    var deliveries: [DeliveryRecord]
  }

  /// Looks items up with their deliveries; the state is the row's, without claims.
  func records(_ selection: Selection) throws(SpoolError) -> [Found] {
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
        case .newest(let count, nil, let before):
          try Row.fetchAll(
            database, sql: Self.newestSQL, arguments: [before, max(0, count)])
        case .newest(let count, let states?, let before):
          // Only the rows that are returned are decoded, which takes longer than their reading.
          try Array(
            states.flatMap { state in
              try Row.fetchAll(
                database, sql: Self.newestOfStateSQL,
                arguments: [state.rawValue, before, max(0, count)])
            }
            .sorted { ($0["sequence"] as Int64) > ($1["sequence"] as Int64) }
            .prefix(max(0, count)))
        }
      return try rows.compactMap { found in
        guard let row = ItemRow(found) else { return nil }
        let sequence = try found.decode(Int64.self, forColumn: "sequence")
        return Found(
          sequence: sequence, row: row,
          captured: try Self.corrected(row.metadata.captured, database),
          deliveries: try Self.deliveries(sequence: sequence, database))
      }
    }
  }

  static let newestSQL = "SELECT * FROM item WHERE sequence < ? ORDER BY sequence DESC LIMIT ?"
  static let newestOfStateSQL = """
    SELECT * FROM item WHERE state = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?
    """

  private static func deliveries(
    sequence: Int64, _ database: Database
  ) throws -> [DeliveryRecord] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM delivery WHERE item = ? ORDER BY target"),
      arguments: [sequence]
    ).map { row in
      DeliveryRecord(
        target: TargetID(rawValue: try row.decode(forColumn: "target")),
        state: DeliveryState(rawValue: try row.decode(forColumn: "state")) ?? .pending,
        attempts: try row.decode(forColumn: "attempts"),
        itemFailures: try row.decode(forColumn: "item_failures"),
        lastFailure: try row.decode(String?.self, forColumn: "last_failure").flatMap {
          try? SpoolJSON.decode(DeliveryFailure.self, $0)
        },
        receipt: try row.decode(String?.self, forColumn: "receipt").flatMap {
          try? SpoolJSON.decode(Receipt.self, $0)
        })
    }
  }

  /// The numbers of deliveries in each state, by target.
  typealias DeliveryTally = [TargetID: [DeliveryState: Int]]

  /// Counts the deliveries in each state, by target.
  ///
  /// - Complexity: O(targets).
  func deliveryTally() throws(SpoolError) -> DeliveryTally {
    try read { try Self.deliveryTally($0) }
  }

  /// Counts the deliveries within a transaction.
  static func deliveryTally(_ database: Database) throws -> DeliveryTally {
    var tally: DeliveryTally = [:]
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT target, state, deliveries FROM delivery_tally"))
    for row in rows {
      guard let state = DeliveryState(rawValue: row["state"] as String) else { continue }
      tally[TargetID(rawValue: row["target"]), default: [:]][state] = row["deliveries"]
    }
    return tally
  }
}
