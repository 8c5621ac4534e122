import CSQLiteCalls
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Spool

/// The pages that a start, the work and a slice of a check read, for two histories.
///
/// Plans show where SQLite begins, and the pages that it reads show how far it goes.
struct HistoryCostTests {
  /// The pages that were read, whether they were in the cache or not.
  struct Cost {
    var open = 0
    var work = 0
    var slice = 0
  }

  func cost(items: Int) async throws -> Cost {
    let directory = TestDirectory()
    let configuration = directory.configuration { $0.historyItems = 1_000_000 }
    var environment = SpoolEnvironment(bootID: "b")
    // The database is opened like one that is too long to be checked as a whole.
    environment.wholeCheckPages = 0
    var spool = try await Spool.open(configuration, environment: environment)
    _ = try await spool.store(.sample(1))
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: items)
    spool = try await Spool.open(configuration, environment: environment)
    var cost = Cost()
    cost.open = try await spool.pagesRead()
    for number in 2...6 { _ = try await spool.store(.sample(number)) }
    for _ in 0..<3 {
      let delivery = try #require(try await spool.nextDelivery())
      try await spool.complete(delivery.id, receipt: .sample(delivery))
    }
    let other = try #require(try await spool.nextDelivery())
    try await spool.park(other.id, failure: .sample)
    _ = try await spool.retryAllParked()
    _ = try await spool.counts()
    _ = try await spool.stats()
    _ = try await spool.items(state: .purged, limit: 10)
    _ = try await spool.items(limit: 10)
    _ = try await spool.item(pressNumber: 3)
    cost.work = try await spool.pagesRead() - cost.open
    // Two slices of the count are measured, as the first one has to make its tables.
    for _ in 0..<2 {
      let before = try await spool.pagesRead()
      _ = try await spool.countSlice()
      cost.slice = try await spool.pagesRead() - before
    }
    await spool.close()
    return cost
  }

  @Test func `Ten times the history costs the same`() async throws {
    let short = try await cost(items: 5000)
    let long = try await cost(items: 50_000)
    print("pages read with 5,000 and 50,000 items: \(short), \(long)")
    #expect(short.open > 0 && short.work > 0 && short.slice > 0)
    // A tree may have one more level.
    #expect(long.open < short.open * 3 / 2)
    #expect(long.work < short.work * 3 / 2)
    #expect(long.slice < short.slice * 3 / 2)
  }
}

extension Spool {
  fileprivate func countSlice() throws -> Bool? {
    try look { storage throws(SpoolError) in try storage.index.countSlice(repair: false) }
  }

  /// Returns the number of pages that the connection has read so far.
  fileprivate func pagesRead() throws -> Int {
    try look { storage throws(SpoolError) in
      try storage.index.read { database in
        var sum = 0
        for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
          var current: CInt = 0
          var highest: CInt = 0
          sqlite3_db_status(database.sqliteConnection, counter, &current, &highest, 0)
          sum += Int(current)
        }
        return sum
      }
    }
  }
}
