import Foundation
import GRDB
import TestSupport
import Testing

@testable import Spool

/// A query of the hot paths looks at no more rows than it needs, however long the history is.
struct QueryPlanTests {
  /// A statement and the text that its plan must mention.
  struct Query: Sendable, CustomTestStringConvertible {
    var name: String
    var sql: String
    var arguments: [String]
    var uses: [String]
    var testDescription: String { name }
  }

  static let queries = [
    Query(
      name: "next delivery", sql: ItemIndex.nextDeliverySQL, arguments: ["primary"],
      uses: ["delivery_pending (target=?)", "item USING INTEGER PRIMARY KEY"]),
    Query(
      name: "delivery of an original", sql: ItemIndex.originalDeliverySQL,
      arguments: ["x", "primary"],
      uses: ["item USING", "delivery USING PRIMARY KEY (item=? AND target=?)"]),
    Query(
      name: "earliest of the same content", sql: ItemRow.originalSQL, arguments: ["x", "1", "2"],
      uses: ["item_content (sha256=? AND bytes=? AND rowid<?)"]),
    Query(
      name: "oldest of the history", sql: ItemIndex.oldestSQL, arguments: ["purged", "64"],
      uses: ["item_state (state=?)"]),
    Query(
      name: "oldest that waits", sql: ItemIndex.waitingSQL, arguments: ["stored", "0", "64"],
      uses: ["item_state (state=? AND rowid>?)"]),
    Query(
      name: "parked", sql: ItemIndex.parkedSQL, arguments: ["primary", "0", "500"],
      uses: ["delivery_parked (target=? AND item>?)"]),
    Query(
      name: "page", sql: ItemIndex.newestSQL, arguments: ["9", "10"],
      uses: ["INTEGER PRIMARY KEY (rowid<?)"]),
    Query(
      name: "page of a state", sql: ItemIndex.newestOfStateSQL, arguments: ["stored", "9", "10"],
      uses: ["item_state (state=? AND rowid<?)"]),
    Query(
      name: "slice of presses", sql: ItemIndex.pressesSQL, arguments: ["9", "1", "10"],
      uses: ["press USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]),
    Query(
      name: "oldest presses", sql: ItemIndex.prunePressesSQL, arguments: ["0", "10"],
      uses: ["press USING INTEGER PRIMARY KEY (rowid>?)"]),
  ]

  @Test(arguments: queries)
  func `A hot query is answered by an index and without sorting`(query: Query) throws {
    let directory = TestDirectory()
    let index = try ItemIndex(path: directory.path + "/queue.db", files: KernelFileSystem())
    let plan = try index.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + query.sql,
        arguments: StatementArguments(query.arguments)
      ).map { $0["detail"] as String }
    }
    for use in query.uses { #expect(plan.contains { $0.contains(use) }, "\(plan)") }
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    try index.close()
  }

  /// Every statement that SQLite runs while pictures come and go, as its trace shows them.
  @Test func `A long history is never scanned`() async throws {
    let directory = TestDirectory()
    let configuration = directory.configuration { $0.historyItems = 100_000 }
    var spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    _ = try await spool.store(.sample(1))
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: 100_000)
    let started = ContinuousClock.now
    spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    print("history of 100,000: opened in \(ContinuousClock.now - started)")
    let traced = try await spool.statements {
      for number in 2...5 { _ = try await spool.store(.sample(number)) }
      for _ in 0..<3 {
        let delivery = try #require(try await spool.nextDelivery())
        try await spool.complete(delivery.id, receipt: .sample(delivery))
      }
      let other = try #require(try await spool.nextDelivery())
      try await spool.park(other.id, failure: DeliveryFailure(code: "x", message: "x"))
      #expect(try await spool.retryAllParked() == 1)
      _ = try await spool.counts()
      _ = try await spool.stats()
      _ = try await spool.items(state: .purged, limit: 10)
    }
    #expect(traced.count > 20)
    let plans = try await spool.plans(of: traced)
    for (sql, plan) in plans {
      // The counters and the boots are a few rows; the audit is read at its end.
      let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("_tally") }
        .filter { !$0.contains("boot") }
      #expect(scans.isEmpty, "\(sql): \(plan)")
    }
    #expect(try await spool.counts().delivered == 100_003)
    // For each new row an old row goes. Only rows not known to be durable exceed the limit.
    #expect(try await spool.stats().historyRows <= 100_002)
    await spool.close()
  }
}

extension Spool {
  /// Returns the statements that SQLite runs during a closure.
  func statements(while body: () async throws -> Void) async throws -> Set<String> {
    let log = StatementLog()
    try look { storage throws(SpoolError) in try storage.index.trace { log.note($0) } }
    try await body()
    try look { storage throws(SpoolError) in try storage.index.trace(nil) }
    return log.statements
  }

  /// Returns SQLite's plans for statements.
  func plans(of statements: Set<String>) throws -> [(sql: String, plan: [String])] {
    try look { storage throws(SpoolError) in
      try storage.index.read { database in
        try statements.sorted().compactMap { sql in
          guard ["SELECT", "UPDATE", "DELETE", "INSERT"].contains(sql.prefix(6).uppercased())
          else { return nil }
          let unknown = Array(repeating: Int?.none, count: sql.count { $0 == "?" })
          let rows = try Row.fetchAll(
            database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: StatementArguments(unknown))
          return (sql, rows.map { $0["detail"] as String })
        }
      }
    }
  }
}

extension ItemIndex {
  /// Tells each statement as it begins; `nil` ends that.
  func trace(_ note: (@Sendable (String) -> Void)?) throws(SpoolError) {
    try read { database in
      guard let note else { return database.trace(options: []) }
      database.trace(options: .statement) { event in
        if case .statement(let statement) = event { note(statement.sql) }
      }
    }
  }
}
