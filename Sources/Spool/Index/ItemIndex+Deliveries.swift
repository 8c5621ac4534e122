import GRDB

extension ItemIndex {
  static let nextDeliverySQL = """
    SELECT item.*, delivery.attempts FROM delivery JOIN item ON item.sequence = delivery.item
    WHERE delivery.target = ? AND delivery.state = 'pending' ORDER BY delivery.item
    """

  /// The oldest item that waits for a target and is not claimed.
  ///
  /// - Complexity: O(claims), however many items wait or have been delivered.
  func nextPending(
    target: TargetID, isClaimed: (ItemID) -> Bool
  ) throws(SpoolError) -> (row: ItemRow, attempts: Int)? {
    try read { database in
      let cursor = try Row.fetchCursor(
        database.cachedStatement(sql: Self.nextDeliverySQL), arguments: [target.rawValue])
      while let found = try cursor.next() {
        guard let row = ItemRow(found), !isClaimed(row.id) else { continue }
        return (row, found["attempts"])
      }
      return nil
    }
  }

  /// Notes a failed attempt.
  func recordAttempt(
    _ id: ItemID, target: TargetID, failure: DeliveryFailure
  ) throws(SpoolError) {
    var failure = failure
    failure.message = String(failure.message.prefix(1024))
    try commit(.attempt(id)) { [failure] database in
      let sequence = try Self.pending(id, target, database)
      try database.cachedStatement(
        sql: """
          UPDATE delivery SET attempts = attempts + 1, last_failure = ? WHERE item = ? AND target = ?
          """
      ).execute(arguments: [try SpoolJSON.text(failure), sequence, target.rawValue])
    }
  }

  /// What the commit of a receipt has made of an item.
  enum Completion: Equatable {
    /// The receipt was there already.
    case alreadyDone
    /// Other targets still wait.
    case waiting
    /// Every target has it: the files may go.
    case delivered
  }

  /// Commits a receipt.
  func complete(
    _ id: ItemID, target: TargetID, receipt: Receipt
  ) throws(SpoolError) -> Completion {
    if try deliveryState(id, target) == "done" { return .alreadyDone }
    return try commit(.done(id)) { database in
      let sequence = try Self.pending(id, target, database)
      try database.cachedStatement(
        sql: "UPDATE delivery SET state = 'done', receipt = ? WHERE item = ? AND target = ?"
      ).execute(arguments: [try SpoolJSON.text(receipt), sequence, target.rawValue])
      try database.cachedStatement(
        sql: """
          UPDATE item SET state = 'delivered' WHERE sequence = ? AND NOT EXISTS
            (SELECT 1 FROM delivery WHERE item = item.sequence AND state <> 'done')
          """
      ).execute(arguments: [sequence])
      return database.changesCount == 1 ? .delivered : .waiting
    }
  }

  /// The targets that an item was stored for.
  func targets(of id: ItemID) throws(SpoolError) -> [TargetID] {
    try read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT target FROM delivery JOIN item ON item.sequence = delivery.item
          WHERE item.id = ? ORDER BY target
          """, arguments: [id.description]
      ).map(TargetID.init(rawValue:))
    }
  }

  private func deliveryState(_ id: ItemID, _ target: TargetID) throws(SpoolError) -> String? {
    try read { try Self.state(id, target, $0)?.state }
  }

  private static func state(
    _ id: ItemID, _ target: TargetID, _ database: Database
  ) throws -> (sequence: Int64, state: String)? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT delivery.item, delivery.state FROM delivery
          JOIN item ON item.sequence = delivery.item WHERE item.id = ? AND delivery.target = ?
          """), arguments: [id.description, target.rawValue]
    ).map { ($0["item"], $0["state"]) }
  }

  private static func pending(
    _ id: ItemID, _ target: TargetID, _ database: Database
  ) throws -> Int64 {
    guard let (sequence, state) = try state(id, target, database) else { throw unknown(id) }
    guard state == "pending" else {
      throw SpoolError(.notWaiting, id.description, "does not wait for \"\(target)\"", cause: state)
    }
    return sequence
  }
}
