import Foundation
import TestSupport
import Testing

@testable import Spool

/// A listing of the whole queue delays no picture for longer than a slice takes.
@Suite(.timeLimit(.minutes(10))) struct ListingTests {
  private let directory = TestDirectory()

  private func spool(items: Int) async throws -> Spool {
    let configuration = directory.configuration { $0.historyItems = 1_000_000 }
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    _ = try await spool.store(.sample(1))
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: items)
    return try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
  }

  @Test func `A page has each item once and in order`() async throws {
    let spool = try await spool(items: 1000)
    for limit in [0, 1, 63, 64, 65, 128, 1000, 5000] {
      let page = try await spool.items(limit: limit)
      #expect(page.count == min(limit, 1001))
      #expect(zip(page, page.dropFirst()).allSatisfy { $0.sequence > $1.sequence })
    }
    let rest = try await spool.items(limit: 200, before: 1_000_101)
    #expect(rest.map(\.sequence) == (1_000_001...1_000_100).reversed() + [1])
    await spool.close()
  }

  @Test func `The beginning of a file is read as long as there is a file`() async throws {
    let spool = try await spool(items: 1)
    let item = NewItem.sample(3, bytes: 5000)
    let stored = try await spool.store(item)
    let record = try #require(try await spool.items(pressNumber: 3).first)
    #expect(try await spool.head(of: record, byteCount: 4000) == Array(item.bytes.prefix(4000)))
    #expect(try await spool.head(of: record, byteCount: 6000) == item.bytes)
    try FileManager.default.removeItem(atPath: stored.path)
    #expect(try await spool.head(of: record, byteCount: 1) == nil)
    await spool.close()
  }

  /// A picture that comes meanwhile is stored between two calls, in the order of arrival.
  @Test func `A listing takes short calls`() async throws {
    let spool = try await spool(items: 2000)
    let first = await spool.callNumber()
    #expect(try await spool.items(limit: 2000).count == 2000)
    let last = await spool.callNumber()
    #expect(last - first > 2000 / UInt64(Spool.slice))
    await spool.close()
  }

  @Test func `Only an unreadable row is missing from a listing`() async throws {
    let spool = try await spool(items: 300)
    await spool.close()
    let database = directory.spool + "/queue.db"
    let result = try run(
      "sqlite3", database, "UPDATE item SET id = 'no ID' WHERE sequence = 1000290")
    try #require(result.status == 0, "\(result.output)")
    let again = try await Spool.open(
      directory.configuration { $0.historyItems = 1_000_000 },
      environment: SpoolEnvironment(bootID: "b"))
    #expect(try await again.items(limit: 1000).count == 300)
    #expect(try await again.recentItems(limit: 1000).count == 300)
    await again.close()
  }
}
