import GRDB

extension ItemIndex {
  /// Assigns targets to the items that were stored while there was no target.
  ///
  /// - Returns: the number of items.
  func assignUnassigned(to targets: [TargetID]) throws(SpoolError) -> Int {
    guard !targets.contains(.unassigned) else { return 0 }
    let count = try read { database in
      try Int.fetchOne(
        database,
        sql: "SELECT COUNT(*) FROM delivery WHERE target = ? AND state = 'pending'",
        arguments: [TargetID.unassigned.rawValue]) ?? 0
    }
    guard count > 0 else { return 0 }
    try commit(.assign(count)) { database in
      for target in targets {
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO delivery (item, target, state, attempts, item_failures)
              SELECT item, ?, 'pending', 0, 0 FROM delivery
              WHERE target = ? AND state = 'pending'
            """, arguments: [target.rawValue, TargetID.unassigned.rawValue])
      }
      try database.execute(
        sql: "DELETE FROM delivery WHERE target = ? AND state = 'pending'",
        arguments: [TargetID.unassigned.rawValue])
    }
    return count
  }
}
