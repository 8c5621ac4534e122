import Capture
import Devices
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

  /// Stores a picture of a press that a session took.
  func storeSample(of press: Press) async -> PressOutcome {
    do {
      // The picture may be stored before its press is entered: both have the same data.
      var picture = NewItem.sample(press: press.number)
      picture.metadata.pressMonotonicNanoseconds = press.time.nanoseconds
      let item = try await store(picture)
      return .stored(
        StoredPhoto(
          itemID: item.id.description, path: item.path, byteCount: Int(item.byteCount),
          sha256: item.sha256))
    } catch {
      return .refused(.storageFailed)
    }
  }
}
