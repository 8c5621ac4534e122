/// The triggers that keep the counters of ``Tally``, or a second set of counters like them.
struct TallyTriggers {
  /// The prefix of the triggers' names.
  var prefix = ""
  /// The names of the tables that count items and deliveries.
  var items = "item_tally"
  var deliveries = "delivery_tally"
  /// Whether the triggers and their counters are temporary objects of the connection.
  var isTemporary = false
  /// A condition on the number of an item, in place of `?`; `nil` for every item.
  var condition: String?

  var objects: [IndexSchema.Object] {
    [
      trigger("item_inserted", "AFTER INSERT ON \(schema)item", ["NEW.sequence"], [add("NEW")]),
      trigger(
        "item_moved", "AFTER UPDATE OF state ON \(schema)item",
        ["OLD.state <> NEW.state", "OLD.sequence"],
        [remove("OLD"), add("NEW")]),
      trigger("item_deleted", "AFTER DELETE ON \(schema)item", ["OLD.sequence"], [remove("OLD")]),
      trigger(
        "delivery_inserted", "AFTER INSERT ON \(schema)delivery", ["NEW.item"], [addDelivery("NEW")]
      ),
      trigger(
        "delivery_moved", "AFTER UPDATE OF state ON \(schema)delivery",
        ["OLD.state <> NEW.state", "OLD.item"], [removeDelivery("OLD"), addDelivery("NEW")]),
      trigger(
        "delivery_deleted", "AFTER DELETE ON \(schema)delivery", ["OLD.item"],
        [removeDelivery("OLD")]),
    ]
  }

  private var schema: String { isTemporary ? "main." : "" }

  /// - Parameter clauses: the trigger's own condition, if any, and the number for ``condition``.
  private func trigger(
    _ name: String, _ event: String, _ clauses: [String], _ statements: [String]
  ) -> IndexSchema.Object {
    let own = clauses.dropLast()
    let counted = condition.map { [$0.replacing("?", with: clauses.last ?? "")] } ?? []
    let conditions = (own + counted).joined(separator: " AND ")
    return IndexSchema.Object(
      prefix + name,
      "CREATE \(isTemporary ? "TEMP " : "")TRIGGER \(prefix + name) \(event)"
        + (conditions.isEmpty ? "" : " WHEN \(conditions)")
        + " BEGIN\n\(statements.joined(separator: "\n"))\nEND")
  }

  private func add(_ row: String) -> String {
    """
      INSERT INTO \(items) VALUES (\(row).state, 1, \(row).bytes)
        ON CONFLICT (state) DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;
    """
  }

  private func remove(_ row: String) -> String {
    """
      UPDATE \(items) SET items = items - 1, bytes = bytes - \(row).bytes
        WHERE state = \(row).state;
    """
  }

  private func addDelivery(_ row: String) -> String {
    """
      INSERT INTO \(deliveries) VALUES (\(row).target, \(row).state, 1)
        ON CONFLICT (target, state) DO UPDATE SET deliveries = deliveries + 1;
    """
  }

  private func removeDelivery(_ row: String) -> String {
    """
      UPDATE \(deliveries) SET deliveries = deliveries - 1
        WHERE target = \(row).target AND state = \(row).state;
    """
  }
}
