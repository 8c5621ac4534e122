import GRDB

extension ItemIndex {
  /// The longest result that is kept, in bytes of UTF-8.
  static let resultLimit = 64 << 10

  /// The effect that the commit of a receipt has on an item.
  enum Completion: Equatable {
    /// The receipt was there already.
    case alreadyDone
    /// Other deliveries still wait or are parked.
    case waiting(ItemRow.State)
    /// Every target has the item, so its files may be removed.
    case delivered(sequence: Int64)
  }

  /// Commits a receipt.
  ///
  /// An item that has been quarantined meanwhile stays quarantined. This target has the stored
  /// picture and does not get it again when the item is restored.
  func complete(
    _ id: ItemID, target: TargetID, receipt: Receipt
  ) throws(SpoolError) -> Completion {
    if try deliveryState(id, target) == "done" { return .alreadyDone }
    return try commit(.done(id)) { database in
      let sequence = try Self.pending(
        id, target, database, states: ["pending", "quarantined"])
      var receipt = receipt
      if let result = receipt.result, result.utf8.count > Self.resultLimit {
        receipt.result = nil
        try audit(
          .resultLeftOut, item: id, target: target,
          detail: "\(result.utf8.count) bytes, of which \(Self.resultLimit) can be kept", database)
      }
      try Self.finish(sequence, target, receipt, database)
      let state = try Self.settle(sequence, database)
      return state == .delivered ? .delivered(sequence: sequence) : .waiting(state)
    }
  }

  /// Commits copies of receipts for items whose content a target has already.
  ///
  /// - Returns: the items that every target has now.
  func complete(
    duplicates: [Finished], target: TargetID
  ) throws(SpoolError) -> [(sequence: Int64, id: ItemID)] {
    try commit(.duplicates(duplicates.count)) { database in
      var delivered: [(sequence: Int64, id: ItemID)] = []
      for duplicate in duplicates {
        var receipt = duplicate.receipt
        receipt.isDuplicate = true
        try Self.finish(duplicate.sequence, target, receipt, database)
        if try Self.settle(duplicate.sequence, database) == .delivered {
          delivered.append((duplicate.sequence, duplicate.id))
        }
      }
      return delivered
    }
  }

  static func finish(
    _ sequence: Int64, _ target: TargetID, _ receipt: Receipt, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        UPDATE delivery SET state = 'done', receipt = ?, resume_state = NULL
        WHERE item = ? AND target = ?
        """
    ).execute(arguments: [try SpoolJSON.text(receipt), sequence, target.rawValue])
  }

  /// Derives the state of an item in the queue from its deliveries; other items keep their state.
  ///
  /// The item waits while a delivery waits. Otherwise it is parked while a delivery is parked. The
  /// item is delivered when all deliveries are done.
  @discardableResult
  static func settle(_ sequence: Int64, _ database: Database) throws -> ItemRow.State {
    let states = try Set(
      String.fetchAll(
        database.cachedStatement(sql: "SELECT state FROM delivery WHERE item = ?"),
        arguments: [sequence]))
    let state: ItemRow.State =
      states.contains("pending") ? .stored : states.contains("parked") ? .parked : .delivered
    try database.cachedStatement(
      sql: "UPDATE item SET state = ? WHERE sequence = ? AND state IN ('stored', 'parked')"
    ).execute(arguments: [state.rawValue, sequence])
    guard database.changesCount == 0 else { return state }
    let kept = try String.fetchOne(
      database.cachedStatement(sql: "SELECT state FROM item WHERE sequence = ?"),
      arguments: [sequence])
    return kept.flatMap(ItemRow.State.init) ?? state
  }
}
