import GRDB

extension ItemIndex {
  /// The number of events that are kept.
  static let auditLimit: Int64 = 1000

  /// Writes an event in the transaction in which it happens.
  func audit(
    _ kind: AuditEvent.Kind, item: ItemID? = nil, target: TargetID? = nil, detail: String? = nil,
    _ database: Database
  ) throws {
    let last =
      try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(number) FROM audit")) ?? 0
    try database.cachedStatement(sql: "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        last + 1, boot, monotonicNanoseconds(), kind.rawValue, item?.description,
        target?.rawValue, detail.map { String($0.prefix(1024)) },
      ])
    try database.cachedStatement(sql: "DELETE FROM audit WHERE number <= ?").execute(
      arguments: [last + 1 - Self.auditLimit])
  }

  /// Returns the newest events, the newest first.
  func auditEvents(limit: Int) throws(SpoolError) -> [AuditEvent] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT audit.*, boot.wall_offset FROM audit LEFT JOIN boot ON boot.number = audit.boot
            ORDER BY audit.number DESC LIMIT ?
            """), arguments: [limit]
      ).map { row in
        let monotonic: Int64 = row["monotonic"]
        return AuditEvent(
          number: row["number"], kind: AuditEvent.Kind(rawValue: row["kind"]),
          item: (row["item"] as String?).flatMap(ItemID.init),
          target: (row["target"] as String?).map(TargetID.init(rawValue:)),
          detail: row["detail"], boot: row["boot"], monotonicNanoseconds: monotonic,
          wallNanoseconds: (row["wall_offset"] as Int64?).flatMap {
            CaptureTime.sum($0, monotonic)
          })
      }
    }
  }
}
