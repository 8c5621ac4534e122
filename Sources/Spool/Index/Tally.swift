import GRDB

/// How many items and deliveries are in which state, kept by the database's own triggers.
///
/// Counting a history of a million rows would take seconds; these few rows are always right,
/// because they are written in the transaction that they are about.
struct Tally: Hashable {
  /// Items and their bytes.
  struct Items: Hashable {
    var count = 0
    var bytes: Int64 = 0
  }

  var items: [ItemRow.State: Items] = [:]
  /// Delivered items whose rows have been pruned.
  var prunedDelivered = 0
  /// Evicted items whose rows have been pruned.
  var prunedEvicted = 0

  subscript(state: ItemRow.State) -> Items { items[state] ?? Items() }

  /// Items that wait or are parked: those that have a file.
  var waiting: Items {
    Items(
      count: self[.stored].count + self[.parked].count,
      bytes: self[.stored].bytes + self[.parked].bytes)
  }

  /// The triggers that keep the tables.
  static let triggers: [IndexSchema.Object] = [
    trigger("item_inserted", "AFTER INSERT ON item", [add("NEW")]),
    trigger(
      "item_moved", "AFTER UPDATE OF state ON item WHEN OLD.state <> NEW.state",
      [remove("OLD"), add("NEW")]),
    trigger("item_deleted", "AFTER DELETE ON item", [remove("OLD")]),
    trigger("delivery_inserted", "AFTER INSERT ON delivery", [addDelivery("NEW")]),
    trigger(
      "delivery_moved", "AFTER UPDATE OF state ON delivery WHEN OLD.state <> NEW.state",
      [removeDelivery("OLD"), addDelivery("NEW")]),
    trigger("delivery_deleted", "AFTER DELETE ON delivery", [removeDelivery("OLD")]),
  ]

  private static func trigger(
    _ name: String, _ event: String, _ statements: [String]
  ) -> IndexSchema.Object {
    IndexSchema.Object(
      name, "CREATE TRIGGER \(name) \(event) BEGIN\n\(statements.joined(separator: "\n"))\nEND")
  }

  private static func add(_ row: String) -> String {
    """
      INSERT INTO item_tally VALUES (\(row).state, 1, \(row).bytes)
        ON CONFLICT (state) DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;
    """
  }

  private static func remove(_ row: String) -> String {
    """
      UPDATE item_tally SET items = items - 1, bytes = bytes - \(row).bytes
        WHERE state = \(row).state;
    """
  }

  private static func addDelivery(_ row: String) -> String {
    """
      INSERT INTO delivery_tally VALUES (\(row).target, \(row).state, 1)
        ON CONFLICT (target, state) DO UPDATE SET deliveries = deliveries + 1;
    """
  }

  private static func removeDelivery(_ row: String) -> String {
    """
      UPDATE delivery_tally SET deliveries = deliveries - 1
        WHERE target = \(row).target AND state = \(row).state;
    """
  }
}

extension ItemIndex {
  /// Reads the counters.
  ///
  /// - Complexity: O(1).
  func tally() throws(SpoolError) -> Tally {
    try read { database in
      var tally = Tally()
      for row in try Row.fetchAll(
        database.cachedStatement(sql: "SELECT state, items, bytes FROM item_tally"))
      {
        guard let state = ItemRow.State(rawValue: row["state"]) else { continue }
        tally.items[state] = Tally.Items(count: row["items"], bytes: row["bytes"])
      }
      tally.prunedDelivered = Int(try ItemRow.number("pruned_delivered", database))
      tally.prunedEvicted = Int(try ItemRow.number("pruned_evicted", database))
      return tally
    }
  }

  /// Counts every row and compares.
  ///
  /// - Returns: whether the counters are right.
  /// - Complexity: O(items in history): two passes over an index.
  func isTallyRight() throws(SpoolError) -> Bool {
    try read { database in
      let counted = """
        SELECT state, COUNT(*) AS items, SUM(bytes) AS bytes FROM item GROUP BY state
        """
      let kept = "SELECT state, items, bytes FROM item_tally WHERE items <> 0"
      let deliveries = """
        SELECT target, state, COUNT(*) AS deliveries FROM delivery GROUP BY target, state
        """
      let keptDeliveries =
        "SELECT target, state, deliveries FROM delivery_tally WHERE deliveries <> 0"
      for (one, other) in [
        (counted, kept), (kept, counted), (deliveries, keptDeliveries),
        (keptDeliveries, deliveries),
      ] {
        let sql = "SELECT EXISTS (\(one) EXCEPT \(other))"
        if try Bool.fetchOne(database, sql: sql) ?? true { return false }
      }
      return true
    }
  }

  /// Counts every row anew.
  func recount() throws(SpoolError) {
    try commit(.recount) { database in
      for statement in [
        "DELETE FROM item_tally", "DELETE FROM delivery_tally",
        "INSERT INTO item_tally SELECT state, COUNT(*), SUM(bytes) FROM item GROUP BY state",
        """
        INSERT INTO delivery_tally
          SELECT target, state, COUNT(*) FROM delivery GROUP BY target, state
        """,
      ] {
        try database.execute(sql: statement)
      }
    }
  }
}
