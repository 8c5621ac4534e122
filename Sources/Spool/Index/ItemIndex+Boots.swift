import GRDB

extension ItemIndex {
  /// Boots that are remembered, at most; the times of older ones can no longer be corrected.
  static let bootLimit: Int64 = 4096

  /// The number of a boot, if it is known.
  static func boot(_ bootID: String, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database, sql: "SELECT number FROM boot WHERE boot_id = ?", arguments: [bootID])
  }

  /// The number of a boot, which is a new one when the kernel's ID is.
  static func addBoot(
    _ bootID: String, after limit: Int64, _ database: Database
  ) throws -> Int64 {
    if let known = try boot(bootID, database) { return known }
    let last = try Int64.fetchOne(database, sql: "SELECT MAX(number) FROM boot") ?? 0
    let number = max(last, limit) + 1
    try database.execute(
      sql: "INSERT INTO boot (number, boot_id) VALUES (?, ?)", arguments: [number, bootID])
    try database.execute(
      sql: "DELETE FROM boot WHERE number <= ?", arguments: [number - bootLimit])
    return number
  }

  /// The newest boots whose wall clock was right at some time, by number.
  func synchronisedBoots(limit: Int) throws(SpoolError) -> [Int64: SynchronisedBoot] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM boot WHERE wall_offset IS NOT NULL ORDER BY number DESC LIMIT ?
          """, arguments: [limit])
      return Dictionary(
        rows.map { row in
          let boot = SynchronisedBoot(
            number: row["number"], bootID: row["boot_id"],
            wallMinusMonotonicNanoseconds: row["wall_offset"], source: row["wall_source"])
          return (boot.number, boot)
        }, uniquingKeysWith: { $1 })
    }
  }

  /// Writes down how the wall clock and the monotonic clock of boots stand to each other.
  func keep(_ boots: [SynchronisedBoot]) throws(SpoolError) {
    try commit(.boot) { database in
      for boot in boots {
        // A number or an ID that says something else in each place is not this boot.
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO boot (number, boot_id) VALUES (?, ?)
            """, arguments: [boot.number, boot.bootID])
        try database.execute(
          sql: """
            UPDATE boot SET wall_offset = ?, wall_source = ? WHERE number = ? AND boot_id = ?
            """,
          arguments: [
            boot.wallMinusMonotonicNanoseconds, boot.source, boot.number, boot.bootID,
          ])
      }
    }
  }

  /// The best that is known of when a picture was taken.
  static func corrected(_ time: CaptureTime, _ database: Database) throws -> CaptureTime {
    guard time.wallTrust != .synchronised, let bootID = time.bootID,
      let monotonic = time.monotonicNanoseconds,
      let offset = try Int64.fetchOne(
        database.cachedStatement(
          sql: "SELECT wall_offset FROM boot WHERE boot_id = ? AND wall_offset IS NOT NULL"),
        arguments: [bootID]),
      let wall = CaptureTime.sum(offset, monotonic)
    else { return time }
    var corrected = time
    corrected.wallNanoseconds = wall
    corrected.wallTrust = .synchronised
    return corrected
  }

  /// How many boots are remembered.
  func bootCount() throws(SpoolError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM boot") ?? 0 }
  }
}

extension CaptureTime {
  /// Adds; `nil` when there is no such number.
  static func sum(_ one: Int64, _ other: Int64) -> Int64? {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
