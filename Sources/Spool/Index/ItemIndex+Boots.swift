import Devices
import GRDB

extension ItemIndex {
  /// The limit of remembered boots; times of older boots can no longer be corrected.
  static let bootLimit: Int64 = 4096

  /// Returns the number of a boot, if the boot is known.
  static func boot(_ bootID: String, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database, sql: "SELECT number FROM boot WHERE boot_id = ?", arguments: [bootID])
  }

  /// Returns the number of a boot, and adds the boot when its kernel ID is new.
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

  /// Returns the newest boots whose wall clock was right at some time, by number.
  func synchronizedBoots(limit: Int) throws(SpoolError) -> [Int64: SynchronizedBoot] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM boot WHERE wall_offset IS NOT NULL ORDER BY number DESC LIMIT ?
          """, arguments: [limit])
      return Dictionary(
        rows.map { row in
          let boot = SynchronizedBoot(
            number: row["number"], bootID: row["boot_id"],
            wallMinusMonotonicNanoseconds: row["wall_offset"], source: row["wall_source"])
          return (boot.number, boot)
        }, uniquingKeysWith: { $1 })
    }
  }

  /// Writes the offsets between the wall clock and the monotonic clock of boots.
  func keep(_ boots: [SynchronizedBoot]) throws(SpoolError) {
    try commit(.boot) { database in
      for boot in boots {
        // A row that has only the number or only the ID is another boot's and stays.
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

  /// Returns the best known time at which a picture was taken.
  static func corrected(_ time: CaptureTime, _ database: Database) throws -> CaptureTime {
    guard time.wallTrust != .synchronized, let bootID = time.bootID,
      let monotonic = time.monotonicNanoseconds,
      let offset = try Int64.fetchOne(
        database.cachedStatement(
          sql: "SELECT wall_offset FROM boot WHERE boot_id = ? AND wall_offset IS NOT NULL"),
        arguments: [bootID]),
      let wall = CaptureTime.sum(offset, monotonic)
    else { return time }
    var corrected = time
    corrected.wallNanoseconds = wall
    corrected.wallTrust = .synchronized
    return corrected
  }

  /// Returns the number of remembered boots.
  func bootCount() throws(SpoolError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM boot") ?? 0 }
  }
}

extension CaptureTime {
  /// Returns the sum; `nil` on overflow.
  static func sum(_ one: Int64, _ other: Int64) -> Int64? {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
