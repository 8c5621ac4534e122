import Spool
import Testing
import Upload

@testable import Service

extension Spool {
  /// Stores a picture of each press, and delivers the first one.
  func storeSamples(presses: ClosedRange<Int64>) async throws -> [StoredItem] {
    var items: [StoredItem] = []
    for number in presses { items.append(try await store(.sample(press: number))) }
    let queue = SpoolDeliveryQueue(spool: self, target: .primary)
    let delivery = try #require(try await queue.next(excluding: []))
    try await queue.complete(delivery.id, receipt: .sample(delivery))
    return items
  }
}
