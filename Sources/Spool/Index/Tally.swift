import GRDB

/// The numbers of items in each state, kept by the database's own triggers.
///
/// A count of a million rows of history would take seconds. These few counters are always right,
/// because each transaction updates them along with the rows that it changes.
struct Tally: Hashable {
  /// A number of items and their bytes.
  struct Items: Hashable {
    var count = 0
    var bytes: Int64 = 0
  }

  var items: [ItemRow.State: Items] = [:]
  /// The number of delivered items whose rows have been pruned.
  var prunedDelivered = 0
  /// The number of evicted items whose rows have been pruned.
  var prunedEvicted = 0

  subscript(state: ItemRow.State) -> Items { items[state] ?? Items() }

  /// The items that wait or are parked: each of them has a file.
  var waiting: Items {
    Items(
      count: self[.stored].count + self[.parked].count,
      bytes: self[.stored].bytes + self[.parked].bytes)
  }

  /// The triggers that keep the tables.
  static let triggers = TallyTriggers().objects
}

extension ItemIndex {
  /// Counts the quarantined items that have a file, and their bytes.
  ///
  /// - Complexity: O(quarantined items).
  func quarantinedFiles() throws(SpoolError) -> Tally.Items {
    try read { database in
      let row = try Row.fetchOne(
        database.cachedStatement(sql: Self.quarantinedFilesSQL),
        arguments: [QuarantineReason.missing.rawValue])
      return Tally.Items(count: row?["items"] ?? 0, bytes: row?["bytes"] ?? 0)
    }
  }

  static let quarantinedFilesSQL = """
    SELECT COUNT(*) AS items, COALESCE(SUM(bytes), 0) AS bytes FROM item
    WHERE state = 'quarantined' AND reason IS NOT ?
    """

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
}
