import Foundation
import TestSupport
import Testing

@testable import Spool

/// Counting a history slice by slice while the queue goes on.
struct RecountTests {
  let directory = TestDirectory()

  @Test(arguments: [false, true])
  func `Changes between the slices of a recount are counted once`(isWrong: Bool) async throws {
    var spool = try await directory.open()
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: 3500)
    if isWrong {
      let sql = "UPDATE item_tally SET items = items + 1; DELETE FROM delivery_tally"
      #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    }
    spool = try await directory.open()
    var slices = 0
    for number in 1...10 {
      let isRight = try await spool.countSlice()
      slices += 1
      if let isRight {
        #expect(isRight == !isWrong)
        break
      }
      // The changes are before and behind the place that the count has reached.
      let item = try await spool.store(.sample(number))
      let other = try await spool.store(.sample(100 + number))
      let delivery = try #require(try await spool.nextDelivery())
      try await spool.complete(delivery.id, receipt: .sample(delivery))
      if other.id != delivery.id { try await spool.delete(other.id, confirming: other.id) }
      _ = item
    }
    #expect(slices == 4)
    // The last slice has repaired the counters, and no part of the recount is left.
    for _ in 0..<2 { #expect(try await spool.verify().isClean) }
    let counts = try await spool.counts()
    #expect(counts.delivered + counts.stored + counts.evicted == 3500 + 6)
    await spool.close()
  }

  @Test func `Two checks at once and a canceled one give the same result`() async throws {
    let spool = try await directory.open()
    for number in 1...20 { _ = try await spool.store(.sample(number)) }
    async let one = spool.verify()
    async let two = spool.verify()
    let third = Task { try await spool.verify() }
    third.cancel()
    _ = try await third.value
    let both = try await [one, two]
    #expect(both.map(\.isClean) == [true, true])
    #expect(try await spool.verify().isClean)
    await spool.close()
  }
}

extension Spool {
  fileprivate func countSlice() throws -> Bool? {
    try look { storage throws(SpoolError) in try storage.index.countSlice(repair: true) }
  }
}
