import Devices
import GRDB

extension ItemIndex {
  /// Parks a delivery until a person asks for a retry; counts the attempt.
  ///
  /// - Returns: the item's state.
  func park(
    _ id: ItemID, target: TargetID, failure: DeliveryFailure
  ) throws(SpoolError) -> ItemRow.State {
    try commit(.park(id)) { database in
      let sequence = try Self.pending(id, target, database)
      try database.cachedStatement(
        sql: """
          UPDATE delivery SET state = 'parked', attempts = attempts + 1,
            item_failures = item_failures + 1, last_failure = ? WHERE item = ? AND target = ?
          """
      ).execute(arguments: [try failure.kept, sequence, target.rawValue])
      try audit(
        .parked, item: id, target: target, detail: "\(failure.code): \(failure.message)", database)
      return try Self.settle(sequence, database)
    }
  }

  /// Returns the parked deliveries of an item to the queue.
  func retry(_ id: ItemID) throws(SpoolError) {
    try commit(.retry(1)) { database in
      guard let (sequence, row) = try Self.row(id, database) else { throw Self.unknown(id) }
      guard row.state.isWaiting, try free(sequence, database) > 0 else {
        throw SpoolError(
          .notWaiting, id.description, "has no parked delivery", cause: row.state.rawValue)
      }
      try Self.settle(sequence, database)
      try audit(.retried, item: id, database)
    }
  }

  /// Returns the parked deliveries of up to `limit` items to the queue, the oldest first.
  ///
  /// - Parameter last: the row after which the search begins.
  /// - Returns: the items, the number of their deliveries and the last row; `nil` when there was
  ///   none.
  func retryParked(
    after last: Int64, limit: Int
  ) throws(SpoolError) -> (items: [ItemID], deliveries: Int, last: Int64)? {
    let targets = try parkedTargets()
    let found = try read { database in
      try targets.flatMap { target in
        try Int64.fetchAll(
          database.cachedStatement(sql: Self.parkedSQL), arguments: [target.rawValue, last, limit])
      }
    }
    let sequences = Set(found).sorted().prefix(limit)
    guard let end = sequences.last else { return nil }
    return try commit(.retry(sequences.count)) { database in
      var items: [ItemID] = []
      var deliveries = 0
      for sequence in sequences {
        deliveries += try free(sequence, database)
        try Self.settle(sequence, database)
        let id = try String.fetchOne(
          database.cachedStatement(sql: "SELECT id FROM item WHERE sequence = ?"),
          arguments: [sequence])
        if let id = id.flatMap(ItemID.init) { items.append(id) }
      }
      try audit(.retried, detail: deliveries.counted("delivery", "deliveries"), database)
      return (items, deliveries, end)
    }
  }

  static let parkedSQL =
    """
    SELECT item FROM delivery WHERE target = ? AND item > ? AND state = 'parked'
    ORDER BY item LIMIT ?
    """

  /// Returns the targets that have parked deliveries.
  private func parkedTargets() throws(SpoolError) -> [TargetID] {
    try read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT target FROM delivery_tally WHERE state = 'parked' AND deliveries > 0
          """
      ).map(TargetID.init(rawValue:))
    }
  }

  /// Frees the parked deliveries of an item and resets the count of its own faults.
  private func free(_ sequence: Int64, _ database: Database) throws -> Int {
    try database.cachedStatement(
      sql: """
        UPDATE delivery SET state = 'pending', item_failures = 0
        WHERE item = ? AND state = 'parked'
        """
    ).execute(arguments: [sequence])
    return database.changesCount
  }

  /// Keeps or forgets the end of a target's pause.
  func keepPause(
    _ pause: (ends: Int64, failure: DeliveryFailure)?, target: TargetID
  ) throws(SpoolError) {
    try commit(.pause) { database in
      guard let pause else {
        return try database.cachedStatement(sql: "DELETE FROM pause WHERE target = ?").execute(
          arguments: [target.rawValue])
      }
      try database.cachedStatement(
        sql: """
          INSERT INTO pause VALUES (?, ?, ?, ?) ON CONFLICT (target) DO UPDATE SET
            boot = excluded.boot, ends = excluded.ends, failure = excluded.failure
          """
      ).execute(arguments: [target.rawValue, boot, pause.ends, try pause.failure.kept])
    }
  }

  /// Returns the end of a target's pause on this boot's clock; `nil` for a pause of another boot.
  func pause(
    target: TargetID
  ) throws(SpoolError) -> (ends: Int64, failure: DeliveryFailure)? {
    try read { database in
      guard
        let row = try Row.fetchOne(
          database.cachedStatement(sql: "SELECT * FROM pause WHERE target = ? AND boot = ?"),
          arguments: [target.rawValue, boot]),
        let failure = try? SpoolJSON.decode(DeliveryFailure.self, row["failure"])
      else { return nil }
      return (row["ends"], failure)
    }
  }
}
