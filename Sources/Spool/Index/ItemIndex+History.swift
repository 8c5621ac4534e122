import GRDB

/// The removals of files, and the limit of the history.
///
/// A row may be pruned only when the removal of its files is on stable storage. A file that a
/// power cut brings back must find the row that says that the item was delivered.
struct History: Sendable {
  /// The maximum number of rows that one commit prunes.
  static let batch = 16
  /// The number of removals without known durability after which directories are synchronized.
  static let usualUnsyncedLimit = 4096

  /// The number of rows of purged and evicted items that stay.
  let limit: Int
  /// The limit in use, usually ``usualUnsyncedLimit``.
  var unsyncedLimit = History.usualUnsyncedLimit
  /// Delivered items whose files are gone; the next commit marks them as purged.
  private(set) var gone: [Int64] = []
  /// Removals not yet known to be durable, by shard.
  private(set) var unsynced: [String: Set<Int64>] = [:]
  private(set) var unsyncedCount = 0
  /// Shards where an earlier process of this boot may have left removals that are not durable.
  var doubtfulShards: Set<String> = []
  /// Items whose files could not be removed; their rows stay for the next start.
  private(set) var stuck: Set<Int64> = []
  /// Whether rows may be pruned; not before recovery has seen every file.
  var mayPrune = false
  /// The number of the connection's changes at which items may pass their limit.
  var itemsDue = 0
  /// The number of the connection's changes at which presses may pass their limit.
  var pressesDue = 0

  init(limit: Int) { self.limit = limit }

  /// Notes that the files of a delivered item are gone.
  mutating func purged(_ sequence: Int64, shard: String) {
    gone.append(sequence)
    removed(sequence, shard: shard)
  }

  /// Notes that the files of an item are gone or will be removed; called before its row says so.
  mutating func removed(_ sequence: Int64, shard: String) {
    if unsynced[shard, default: []].insert(sequence).inserted { unsyncedCount += 1 }
  }

  /// Notes that a shard's directory has been forced to stable storage.
  mutating func synced(shard: String) {
    unsyncedCount -= unsynced.removeValue(forKey: shard)?.count ?? 0
    doubtfulShards.remove(shard)
  }

  /// Notes that the files of an item could not be removed.
  mutating func stuck(_ sequence: Int64) { stuck.insert(sequence) }

  /// Notes that rows are durably marked as purged.
  mutating func committed(_ count: Int) { gone.removeFirst(count) }

  func isPrunable(_ sequence: Int64, _ id: ItemID) -> Bool {
    unsynced[id.shard]?.contains(sequence) != true && !doubtfulShards.contains(id.shard)
      && !stuck.contains(sequence)
  }
}

extension ItemIndex {
  /// Marks delivered items whose files are gone as purged; every commit calls it.
  ///
  /// - Returns: the number of items of ``History/gone`` that are marked.
  func callPurged(_ database: Database) throws -> Int {
    for sequence in history.gone {
      try database.cachedStatement(
        sql: "UPDATE item SET state = 'purged' WHERE sequence = ? AND state = 'delivered'"
      ).execute(arguments: [sequence])
    }
    return history.gone.count
  }

  /// Removes the oldest rows of the history, a few at a time.
  ///
  /// Every commit calls it, so that pruning costs no `fsync` of its own.
  ///
  /// - Complexity: O(1), however long the history is.
  func prune(_ database: Database) throws {
    guard history.mayPrune, database.totalChangesCount >= history.itemsDue else { return }
    let kept =
      try Int.fetchOne(
        database.cachedStatement(
          sql: "SELECT SUM(items) FROM item_tally WHERE state IN ('purged', 'evicted')")) ?? 0
    let excess = min(kept - history.limit, History.batch)
    guard excess > 0 else {
      // Each further row is a change, so that nothing need be counted before that many changes.
      history.itemsDue = database.totalChangesCount + history.limit - kept + 1
      return
    }
    try files.willPrune()
    var oldest: [(sequence: Int64, id: ItemID, state: ItemRow.State)] = []
    for state in [ItemRow.State.purged, .evicted] {
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: Self.oldestSQL), arguments: [state.rawValue, 64])
      for row in rows {
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        guard let id = ItemID(try row.decode(String.self, forColumn: "id")),
          history.isPrunable(sequence, id)
        else { continue }
        oldest.append((sequence, id, state))
      }
    }
    oldest.sort { $0.sequence < $1.sequence }
    for row in oldest.prefix(excess) {
      for sql in ["DELETE FROM delivery WHERE item = ?", "DELETE FROM item WHERE sequence = ?"] {
        try database.cachedStatement(sql: sql).execute(arguments: [row.sequence])
      }
      let key = row.state == .purged ? "pruned_delivered" : "pruned_evicted"
      try ItemRow.setNumber(key, try ItemRow.number(key, database) + 1, database)
    }
  }

  /// The query for the oldest rows of a state.
  static let oldestSQL = "SELECT sequence, id FROM item WHERE state = ? ORDER BY sequence LIMIT ?"

  /// Returns the items that every target has and that are not marked as purged yet.
  ///
  /// - Complexity: O(these items), which are few.
  func deliveredRows() throws(SpoolError) -> [(sequence: Int64, id: ItemID)] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT sequence, id FROM item WHERE state = 'delivered' ORDER BY sequence"
      ).compactMap { row in
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        return ItemID(try row.decode(String.self, forColumn: "id")).map { (sequence, $0) }
      }
    }
  }
}
