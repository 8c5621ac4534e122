import Foundation
import GRDB
import Spool

/// Makes a spool with many pictures, delivered or waiting, without storing them one by one.
///
/// A single picture is stored for real, and delivered; its rows are then copied in the closed database,
/// column by column, with sequence numbers and IDs of their own, and the files of one that waits are
/// linked.
struct HistoryFiller {
  let directory: String
  /// Whether the pictures wait.
  var isWaiting = false

  func fill(_ count: Int) async throws {
    let spool = try await BenchmarkSpool.open(directory)
    let first = try await spool.store(BenchmarkSpool.picture(bytes: 1000, number: 1))
    if !isWaiting, let delivery = try await spool.nextDelivery() {
      try await spool.complete(delivery.id, receipt: BenchmarkSpool.receipt(delivery))
    }
    await spool.close()
    let database = try DatabaseQueue(path: directory + "/queue.db")
    defer { try? database.close() }
    try await database.write { [isWaiting] database in
      // As the next commit would note it; the file is gone already.
      if !isWaiting { try database.execute(sql: "UPDATE item SET state = 'purged'") }
      try copy("item", key: "sequence", count, database)
      try copy("delivery", key: "item", count, database)
      try database.execute(
        sql: "UPDATE meta SET value = value + ? WHERE key = 'last_sequence'", arguments: [count])
    }
    if isWaiting { try await link(first, database) }
  }

  /// Gives each row the files of the first one.
  private func link(_ first: StoredItem, _ database: DatabaseQueue) async throws {
    let files = [first.path, String(first.path.dropLast(3)) + "json"]
    for shard in 0..<256 {
      try FileManager.default.createDirectory(
        atPath: directory + String(format: "/items/%02x", shard), withIntermediateDirectories: true)
    }
    let ids = try await database.read { database in
      try String.fetchAll(database, sql: "SELECT id FROM item WHERE sequence > 1")
    }
    for id in ids {
      for file in files {
        let suffix = file.suffix(file.hasSuffix("json") ? 5 : 4)
        guard Glibc.link(file, "\(directory)/items/\(id.suffix(2))/\(id)\(suffix)") == 0 else {
          throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
      }
    }
  }

  private func copy(_ table: String, key: String, _ count: Int, _ database: Database) throws {
    let columns = try database.columns(in: table).map(\.name)
    let values = columns.map { column in
      switch column {
      case key: "\(key) + n"
      case "id": "substr(id, 1, 7) || printf('%010d', \(key) + n) || '-' || printf('%016x', n)"
      case "sha256": "randomblob(32)"
      default: column
      }
    }
    try database.execute(
      sql: """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM \(table), numbers WHERE \(table).\(key) = 1
        """, arguments: [count - 1])
  }
}
