import Foundation
import Spool
import Testing
import struct Spool.DeliveryFailure
import struct Spool.Receipt

@testable import Service
@testable import Upload

@Suite(.timeLimit(.minutes(10))) struct SpoolDeliveryQueueTests {
  private let scratch = ScratchSpool()

  /// Opens a spool with so many pictures.
  private func filled(
    _ count: Int64
  ) async throws -> (spool: Spool, queue: SpoolDeliveryQueue, items: [StoredItem]) {
    let spool = try await scratch.open()
    var items: [StoredItem] = []
    for number in 0..<count { items.append(try await spool.store(.sample(press: number + 1))) }
    return (spool, SpoolDeliveryQueue(spool: spool, target: .primary), items)
  }

  @Test func `the oldest picture comes first`() async throws {
    let (spool, queue, items) = try await filled(3)
    for item in items {
      let delivery = try #require(try await queue.next(excluding: []))
      #expect(delivery.id == item.id.description)
      #expect(delivery.path == item.path)
      #expect(delivery.byteCount == item.byteCount)
      #expect(delivery.sha256 == item.sha256)
      #expect(delivery.remoteName == item.remoteName)
      #expect(delivery.attempts == 0)
      #expect(delivery.contentType == "image/jpeg")
    }
    #expect(try await queue.next(excluding: []) == nil, "all of them are claimed")
    await spool.close()
  }

  @Test func `excluded items are passed over and released`() async throws {
    let (spool, queue, items) = try await filled(3)
    let names = items.map(\.id.description)
    #expect(try await queue.next(excluding: [names[0], names[1]])?.id == names[2])
    #expect(try await spool.counts().delivering == 1, "only the one that was given")
    #expect(try await queue.next(excluding: Set(names)) == nil)
    #expect(try await queue.next(excluding: [names[0]])?.id == names[1])
    #expect(try await queue.next(excluding: [])?.id == names[0])
    await spool.close()
  }

  private let unusable = Upload.DeliveryFailure(
    .fileUnreadable, scope: .item, text: "the file no longer holds the item's bytes")

  @Test func `an item whose file a target found damaged or missing is taken out`() async throws {
    let (spool, queue, items) = try await filled(3)
    try items[0].damage()
    try FileManager.default.removeItem(atPath: items[1].path)
    for item in items[..<2] {
      #expect(try await queue.next(excluding: [])?.id == item.id.description)
    }
    #expect(
      try await !queue.failed(items[0].id.description, error: unusable, attempts: 1))
    #expect(try await !queue.park(items[1].id.description, error: unusable, attempts: 8))
    #expect(try await spool.counts().quarantined == 2)
    #expect(try await spool.counts().delivering == 0)
    #expect(try await spool.item(items[0].id)?.quarantineReason == .damaged)
    #expect(try await spool.item(items[1].id)?.quarantineReason == .missing)
    #expect(try await queue.next(excluding: [])?.id == items[2].id.description)
    await spool.close()
  }

  @Test func `an item whose file is intact after all is tried again`() async throws {
    let (spool, queue, items) = try await filled(1)
    let delivery = try #require(try await queue.next(excluding: []))
    #expect(try await queue.failed(delivery.id, error: unusable, attempts: 1))
    #expect(try await spool.item(items[0].id)?.deliveries.first?.attempts == 1)
    #expect(try await queue.next(excluding: [])?.id == delivery.id)
    await spool.close()
  }

  @Test func `a failure is recorded and the item waits again`() async throws {
    let (spool, queue, items) = try await filled(1)
    let delivery = try #require(try await queue.next(excluding: []))
    try await queue.failed(
      delivery.id,
      error: Upload.DeliveryFailure(
        .rejected, scope: .item, text: "\"page.jpg\" was not taken", status: 422),
      attempts: 1)
    let record = try #require(try await spool.item(items[0].id)?.deliveries.first)
    #expect(record.attempts == 1)
    #expect(
      record.lastFailure
        == DeliveryFailure(
          code: "rejected", message: "\"page.jpg\" was not taken", httpStatus: 422))
    #expect(record.receipt == nil)
    let again = try #require(try await queue.next(excluding: []))
    #expect(again.id == delivery.id)
    #expect(again.attempts == 1)
    await spool.close()
  }

  @Test func `a receipt is committed and the file is removed`() async throws {
    let (spool, queue, items) = try await filled(2)
    let delivery = try #require(try await queue.next(excluding: []))
    var receipt = Upload.Receipt.sample(delivery)
    receipt.isDuplicate = true
    try await queue.complete(delivery.id, receipt: receipt)
    let item = try #require(try await spool.item(items[0].id))
    #expect(item.state == .delivered)
    #expect(
      item.deliveries.first?.receipt
        == Receipt(
          url: receipt.url, remoteName: receipt.remoteName, sha256: receipt.sha256,
          httpStatus: 201, isDuplicate: true, wallNanoseconds: receipt.wallNanoseconds))
    #expect(!FileManager.default.fileExists(atPath: items[0].path))
    #expect(try await queue.next(excluding: [])?.id == items[1].id.description)
    await spool.close()
  }

  @Test func `a receipt for other bytes is refused and the file stays`() async throws {
    let (spool, queue, items) = try await filled(1)
    let delivery = try #require(try await queue.next(excluding: []))
    var receipt = Upload.Receipt.sample(delivery)
    receipt.sha256 = String(repeating: "0", count: 64)
    await #expect(throws: SpoolError.self) {
      try await queue.complete(delivery.id, receipt: receipt)
    }
    #expect(FileManager.default.fileExists(atPath: items[0].path))
    await spool.close()
  }

  /// The uploader repeats a result until the queue takes it: an error would hold up all others.
  @Test func `an ended item holds up no other`() async throws {
    let (spool, queue, items) = try await filled(2)
    let delivery = try #require(try await queue.next(excluding: []))
    try await queue.complete(delivery.id, receipt: .sample(delivery))
    let failure = Upload.DeliveryFailure(.rejected, scope: .item, text: "no")
    for id in [delivery.id, "000001-0000000009-0000000000000001", "nonsense"] {
      try await queue.failed(id, error: failure, attempts: 1)
      try await queue.park(id, error: failure, attempts: 1)
      try await queue.keep(ResumeState(kind: "tus", session: "x"), of: id)
      try await queue.complete(id, receipt: .sample(delivery))
      await queue.release(id)
    }
    #expect(try await queue.next(excluding: [])?.id == items[1].id.description)
    await spool.close()
  }

  @Test func `the state of an attempt comes with the next attempt`() async throws {
    let (spool, queue, items) = try await filled(1)
    let first = try #require(try await queue.next(excluding: []))
    #expect(first.resumeState == nil)
    let state = ResumeState(
      kind: "s3Multipart", session: "upload-1", partByteCount: 8 << 20, isFinalSent: true)
    try await queue.keep(state, of: first.id)
    let failure = Upload.DeliveryFailure(.rejected, scope: .item, text: "no")
    try await queue.failed(first.id, error: failure, attempts: 1)
    let second = try #require(try await queue.next(excluding: []))
    #expect(second.resumeState == state)
    #expect(second.itemFailures == 1)
    try await queue.park(second.id, error: failure, attempts: 2)
    #expect(try await queue.next(excluding: []) == nil)
    #expect(try await spool.item(items[0].id)?.state == .parked)
    await spool.close()
  }

  @Test func `a pause outlives the service`() async throws {
    let (spool, queue, _) = try await filled(1)
    let failure = Upload.DeliveryFailure(
      .throttled, scope: .target, text: "the target wants a pause", status: 429)
    let began = ContinuousClock.now
    try await queue.keep(TargetPause(remaining: .seconds(600), failure: failure))
    await spool.close()
    let again = try await scratch.open()
    let pause = try await SpoolDeliveryQueue(spool: again, target: .primary).keptPause()
    #expect(pause?.failure == failure)
    let remaining = try #require(pause?.remaining)
    // A second more, because the file may round, and the wall clock may be corrected.
    let least = Duration.seconds(599) - (ContinuousClock.now - began)
    #expect(remaining >= least && remaining <= .seconds(600))
    await again.close()
  }

  @Test func `arrivals announce the pictures stored before and after`() async throws {
    let (spool, queue, _) = try await filled(1)
    let (arrivals, arrival) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    queue.tellArrivals { arrival.yield() }
    var all = arrivals.makeAsyncIterator()
    #expect(await all.next() != nil, "what was stored before")
    for number in 2...4 as ClosedRange<Int64> {
      _ = try await spool.store(.sample(press: number))
      #expect(await all.next() != nil)
    }
    await spool.close()
  }

  @Test func `a closed spool throws`() async throws {
    let (spool, queue, _) = try await filled(1)
    await spool.close()
    await #expect(throws: SpoolError.self) { try await queue.next(excluding: []) }
  }
}
