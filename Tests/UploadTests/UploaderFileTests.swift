import Devices
import Foundation
import TestSupport
import Testing

@testable import Upload

/// The uploader with items whose files are damaged, or cannot be opened at the moment.
extension UploaderTests {
  @Test(arguments: [false, true])
  func `a receipt by status counts only for the item's own bytes`(isDamaged: Bool) async throws {
    let files = TemporaryDirectory()
    let delivery = try await files.delivery(id: "a")
    let queue = MemoryQueue([delivery])
    target.receiveByStatus()
    target.block("a")
    try await withUploader(queue) { uploader, _ in
      await target.untilBegun("a")
      if isDamaged {
        try Data(somePicture(seed: 2)).write(to: URL(fileURLWithPath: delivery.path))
      }
      target.unblock("a")
      await rest(uploader) { status in
        status.deliveries.isEmpty && status.counters.failures + status.counters.delivered == 1
      }
    }
    #expect(await queue.receipts.count == (isDamaged ? 0 : 1))
    #expect(await queue.failures.map(\.failure.code) == (isDamaged ? [.fileUnreadable] : []))
  }

  @Test(arguments: [1, 8])
  func `a damaged item is reported as damaged and not as parked`(parkedAfter: Int) async throws {
    let queue = MemoryQueue([.test("good"), .test("bad")])
    let fault = DeliveryFailure(.fileUnreadable, scope: .item, text: "other bytes")
    target.fail("bad", fault)
    await queue.damage("bad")
    let policy = UploadPolicy.test(parallel: 1, parkedAfter: parkedAfter)
    try await withUploader(queue, policy: policy) { uploader, events in
      var events = events.makeAsyncIterator()
      for _ in 0..<3 { _ = await events.next() }
      let wait: Duration? = parkedAfter == 1 ? nil : .seconds(1)
      #expect(
        await events.next()
          == .failed(id: "bad", failure: fault, attempts: 1, nextAttemptIn: wait))
      await rest(uploader) { $0.deliveries.isEmpty && $0.counters.failures == 1 }
      #expect(uploader.status.counters.parked == 0)
    }
    #expect(await queue.parked.isEmpty)
    #expect(await queue.waiting.isEmpty)
    #expect(log.lines.filter { $0.message.contains("is damaged or missing") }.count == 1)
    #expect(!log.lines.contains { $0.message.contains("is parked") })
  }

  @Test func `a lack of resources is no attempt of the item`() async throws {
    let queue = MemoryQueue([.test("a", itemFailures: 7)])
    let shortage = FileFailure("open", "/spool/a", number: EMFILE).sourceFailure
    target.fail("a", shortage)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(1), scope: .target, reason: shortage))
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
    }
    #expect(await queue.failures.isEmpty)
    #expect(await queue.parked.isEmpty)
    #expect(await queue.releases == ["a"])
    #expect(await queue.receipts.map(\.id) == ["a"])
  }

  @Test func `an idle uploader has no timer`() async throws {
    try await withUploader(MemoryQueue()) { uploader, _ in
      await rest(uploader, .idle)
      #expect(time.isSleepEndless)
    }
  }

  @Test(arguments: [nil, Duration.seconds(1 << 40)])
  func `a wait ends at once when its signal is given`(end: Duration?) async {
    let signal = WakeSignal()
    async let waiting: Void = UploadTime.system.sleep(end, signal)
    signal.give()
    await waiting
  }
}
