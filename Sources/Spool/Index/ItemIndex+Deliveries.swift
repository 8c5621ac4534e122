import GRDB

extension ItemIndex {
  static let nextDeliverySQL = """
    SELECT delivery.*, item.id AS item_id, item.duplicate_of AS original FROM delivery
    JOIN item ON item.sequence = delivery.item
    WHERE delivery.target = ? AND delivery.state = 'pending' ORDER BY delivery.item
    """

  /// A delivery that can begin.
  struct Pending {
    var row: ItemRow
    var attempts: Int
    var itemFailures: Int
    var resumeState: String?
    /// The time at which the picture was taken, as far as it is known now.
    var captured: CaptureTime
  }

  /// An item whose content the target has already under another name.
  struct Finished {
    var sequence: Int64
    var id: ItemID
    /// The receipt of the original.
    var receipt: Receipt
  }

  /// Returns the oldest item that waits for a target, and the finished duplicates before it.
  ///
  /// A duplicate waits as long as its original. The search ends after 32 finished duplicates.
  ///
  /// - Complexity: O(skipped items and duplicates of them), however many items wait or are
  ///   delivered.
  func nextPending(
    target: TargetID, isPassedOver: (ItemID) -> Bool
  ) throws(SpoolError) -> (next: Pending?, finished: [Finished]) {
    try read { database in
      var finished: [Finished] = []
      var receipts: [String: Receipt] = [:]
      let cursor = try Row.fetchCursor(
        database.cachedStatement(sql: Self.nextDeliverySQL), arguments: [target.rawValue])
      while finished.count < 32, let found = try cursor.next() {
        guard let id = ItemID(try found.decode(String.self, forColumn: "item_id")),
          !isPassedOver(id)
        else { continue }
        if let original = try found.decode(String?.self, forColumn: "original") {
          // An original that was collected above counts as done, though its row still waits.
          let state =
            if let receipt = receipts[original] { OriginalState.done(receipt) } else {
              try Self.state(of: original, target, database)
            }
          switch state {
          case .pending: continue
          case .done(let receipt):
            receipts[id.description] = receipt
            finished.append(
              Finished(
                sequence: try found.decode(forColumn: "item"), id: id, receipt: receipt))
            continue
          case .other: break
          }
        }
        guard let row = try Self.row(id, database)?.row else { continue }
        let next = Pending(
          row: row, attempts: try found.decode(forColumn: "attempts"),
          itemFailures: try found.decode(forColumn: "item_failures"),
          resumeState: try found.decode(forColumn: "resume_state"),
          captured: try Self.corrected(row.metadata.captured, database))
        return (next, finished)
      }
      return (nil, finished)
    }
  }

  private enum OriginalState {
    case pending, done(Receipt), other
  }

  /// Returns the state of an original's delivery.
  private static func state(
    of original: String, _ target: TargetID, _ database: Database
  ) throws -> OriginalState {
    let found = try Row.fetchOne(
      database.cachedStatement(sql: originalDeliverySQL), arguments: [original, target.rawValue])
    switch try found?.decode(String.self, forColumn: "state") {
    case "pending": return .pending
    case "done":
      guard let text = try found?.decode(String?.self, forColumn: "receipt"),
        let receipt = try? SpoolJSON.decode(Receipt.self, text)
      else { return .other }
      return .done(receipt)
    default: return .other
    }
  }

  static let originalDeliverySQL = """
    SELECT delivery.state, delivery.receipt FROM item
    JOIN delivery ON delivery.item = item.sequence WHERE item.id = ? AND delivery.target = ?
    """

  /// Records a failed attempt.
  ///
  /// - Parameter isItemFault: whether the failure counts as the item's own fault.
  func recordAttempt(
    _ id: ItemID, target: TargetID, failure: DeliveryFailure, isItemFault: Bool
  ) throws(SpoolError) {
    try commit(.attempt(id)) { database in
      let sequence = try Self.pending(id, target, database)
      try database.cachedStatement(
        sql: """
          UPDATE delivery SET attempts = attempts + 1, item_failures = item_failures + ?,
            last_failure = ? WHERE item = ? AND target = ?
          """
      ).execute(arguments: [isItemFault ? 1 : 0, try failure.kept, sequence, target.rawValue])
    }
  }

  /// Keeps the state from which the uploader resumes after a restart.
  func keepResumeState(_ text: String?, of id: ItemID, target: TargetID) throws(SpoolError) {
    try commit(.resumeState(id)) { database in
      let sequence = try Self.pending(id, target, database)
      try database.cachedStatement(
        sql: "UPDATE delivery SET resume_state = ? WHERE item = ? AND target = ?"
      ).execute(arguments: [text, sequence, target.rawValue])
    }
  }

  /// Returns the targets that an item was stored for.
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

  /// Returns the states of an item's deliveries.
  func deliveryStates(of id: ItemID) throws(SpoolError) -> Set<String> {
    try read { database in
      try Set(
        String.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT delivery.state FROM delivery JOIN item ON item.sequence = delivery.item
              WHERE item.id = ?
              """), arguments: [id.description]))
    }
  }

  func deliveryState(_ id: ItemID, _ target: TargetID) throws(SpoolError) -> String? {
    try read { try Self.delivery(id, target, $0)?.state }
  }

  static func delivery(
    _ id: ItemID, _ target: TargetID, _ database: Database
  ) throws -> (sequence: Int64, state: String)? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT delivery.item, delivery.state FROM delivery
          JOIN item ON item.sequence = delivery.item WHERE item.id = ? AND delivery.target = ?
          """), arguments: [id.description, target.rawValue]
    ).map { (try $0.decode(forColumn: "item"), try $0.decode(forColumn: "state")) }
  }

  /// Returns the item's number; throws unless the delivery is in one of `states`.
  static func pending(
    _ id: ItemID, _ target: TargetID, _ database: Database, states: Set<String> = ["pending"]
  ) throws -> Int64 {
    guard let (sequence, state) = try delivery(id, target, database) else { throw unknown(id) }
    guard states.contains(state) else {
      throw SpoolError(.notWaiting, id.description, "does not wait for \"\(target)\"", cause: state)
    }
    return sequence
  }
}

extension DeliveryFailure {
  /// The failure as it is kept: as JSON, with the message cut at 1024 characters.
  var kept: String {
    get throws {
      var failure = self
      failure.message = String(message.prefix(1024))
      return try SpoolJSON.text(failure)
    }
  }
}
