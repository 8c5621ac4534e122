import Devices
import GRDB

extension ItemIndex {
  /// Evicts items to make room or at a person's request; their files are removed afterwards.
  func evict(
    _ rows: [(sequence: Int64, row: ItemRow)], _ reason: EvictionReason
  ) throws(SpoolError) {
    try commit(.evict(rows.count)) { database in
      for (sequence, row) in rows { try evict(sequence, row, reason, database) }
    }
  }

  /// Evicts one item at a person's request.
  ///
  /// - Returns: the item's number and its former row.
  func delete(_ id: ItemID) throws(SpoolError) -> (sequence: Int64, row: ItemRow) {
    try commit(.delete(id)) { database in
      guard let (sequence, row) = try Self.row(id, database) else { throw Self.unknown(id) }
      guard row.state.isWaiting || row.state == .quarantined else {
        throw SpoolError(
          .notWaiting, id.description, "is neither waiting nor parked nor quarantined",
          cause: row.state.rawValue)
      }
      try evict(sequence, row, .deleted, database)
      return (sequence, row)
    }
  }

  /// Removes quarantined rows that cannot be read and have no file, at a person's request.
  func remove(unreadable sequences: [Int64]) throws(SpoolError) {
    try commit(.evict(sequences.count)) { database in
      for sequence in sequences {
        for sql in ["DELETE FROM delivery WHERE item = ?", "DELETE FROM item WHERE sequence = ?"] {
          try database.cachedStatement(sql: sql).execute(arguments: [sequence])
        }
        try audit(.deleted, detail: "row \(sequence) cannot be read", database)
      }
    }
  }

  private func evict(
    _ sequence: Int64, _ row: ItemRow, _ reason: EvictionReason, _ database: Database
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
    let state = row.reason.map { "quarantined: \($0)" } ?? row.state.rawValue
    try audit(
      reason == .deleted ? .deleted : .evicted, item: row.id,
      detail: row.bytes.counted("byte")
        + "\(reason == .noRoom ? " to make room" : ""), \(state) until then",
      database)
  }
}
