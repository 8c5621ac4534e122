import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Spool

/// Who looks at the whole queue keeps no picture waiting for longer than a slice of it.
@Suite struct ListingTests {
  private let directory = TestDirectory()

  private func spool(items: Int) async throws -> Spool {
    let configuration = directory.configuration { $0.historyItems = 1_000_000 }
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    _ = try await spool.store(.sample(1))
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: items)
    return try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
  }

  @Test func aPageHasEachItemOnceAndInOrder() async throws {
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

  @Test func aPictureIsStoredBeforeListingsThatBeganEarlierEnd() async throws {
    let spool = try await spool(items: 2000)
    let order = Order()
    let listings = (0..<8).map { _ in
      Task {
        _ = try await spool.items(limit: 2000)
        order.note("listed")
      }
    }
    while spool.runningCall == nil { await Task.yield() }
    _ = try await spool.store(.sample(2))
    order.note("stored")
    for listing in listings { try await listing.value }
    #expect(order.names.first == "stored")
    #expect(order.names.count == 9)
    await spool.close()
  }

  /// What has ended, in its order.
  private final class Order: Sendable {
    private let noted = Mutex<[String]>([])

    var names: [String] { noted.withLock { $0 } }
    func note(_ name: String) { noted.withLock { $0.append(name) } }
  }
}
