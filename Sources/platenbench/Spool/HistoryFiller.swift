import Foundation
import GRDB
import Spool

/// Makes a spool with many delivered pictures in its history, without delivering them one by one.
///
/// One picture is delivered for real; its rows are then copied in the closed database, column by
/// column, with sequence numbers and IDs of their own.
struct HistoryFiller {
  let directory: String

  func fill(_ count: Int) async throws {
    let spool = try await BenchmarkSpool.open(directory)
    _ = try await spool.store(BenchmarkSpool.picture(bytes: 1000, number: 1))
    guard let delivery = try await spool.nextDelivery() else { return }
    try await spool.complete(delivery.id, receipt: BenchmarkSpool.receipt(delivery))
    await spool.close()
    let database = try DatabaseQueue(path: directory + "/queue.db")
    defer { try? database.close() }
    try await database.write { database in
      // As the next commit would note it; the file is gone already.
      try database.execute(sql: "UPDATE item SET state = 'purged'")
      try copy("item", key: "sequence", count, database)
      try copy("delivery", key: "item", count, database)
      try database.execute(
        sql: "UPDATE meta SET value = value + ? WHERE key = 'last_sequence'", arguments: [count])
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
