import GRDB

extension ItemIndex {
  /// Gives items up to make room; their files are removed afterwards.
  func evict(_ rows: [(sequence: Int64, row: ItemRow)]) throws(SpoolError) {
    try commit(.evict(rows.count)) { database in
      for (sequence, row) in rows {
        try Self.evict(sequence, .noRoom, database)
        try audit(
          .evicted, item: row.id,
          detail: "\(row.bytes) bytes to make room, \(row.state.rawValue) until then", database)
      }
    }
  }

  /// Gives up one item that a person does not want to keep.
  ///
  /// - Returns: the item's number and its row as it was.
  func delete(_ id: ItemID) throws(SpoolError) -> (sequence: Int64, row: ItemRow) {
    try commit(.delete(id)) { database in
      guard let (sequence, row) = try Self.row(id, database) else { throw Self.unknown(id) }
      guard row.state.isWaiting || row.state == .quarantined else {
        throw SpoolError(
          .notWaiting, id.description, "is neither waiting nor parked nor quarantined",
          cause: row.state.rawValue)
      }
      try Self.evict(sequence, .deleted, database)
      try audit(
        .deleted, item: id,
        detail:
          "\(row.bytes) bytes, \(row.reason.map { "quarantined: \($0)" } ?? row.state.rawValue)"
          + " until then", database)
      return (sequence, row)
    }
  }

  private static func evict(
    _ sequence: Int64, _ reason: EvictionReason, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: "UPDATE item SET state = 'evicted', reason = ? WHERE sequence = ?"
    ).execute(arguments: [reason.rawValue, sequence])
    try database.cachedStatement(
      sql: """
        UPDATE delivery SET state = 'evicted', resume_state = NULL
        WHERE item = ? AND state <> 'done'
        """
    ).execute(arguments: [sequence])
  }
}
