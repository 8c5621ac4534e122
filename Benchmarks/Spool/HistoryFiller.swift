import Foundation
import GRDB
import Spool

/// A maker of a spool with many pictures, delivered or waiting, without storing them one by one.
///
/// Only one picture is really stored and delivered. Its rows are then copied in the closed
/// database, column by column, with separate sequence numbers and IDs. The files of a waiting
/// picture are linked.
struct HistoryFiller {
  let directory: String
  /// Whether the pictures wait for delivery.
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
      // The next commit would note the same; the file is already gone.
      if !isWaiting { try database.execute(sql: "UPDATE item SET state = 'purged'") }
      try copy("item", key: "sequence", count, database)
      try copy("delivery", key: "item", count, database)
      try database.execute(
        sql: "UPDATE meta SET value = value + ? WHERE key = 'last_sequence'", arguments: [count])
    }
    if isWaiting { try await link(first, database) }
  }

  /// Links the first picture's files for each row.
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
