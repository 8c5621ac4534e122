import Devices
import TestSupport
import Testing

@testable import Upload

/// The uploader with a target that answers as told, and clocks that only the test moves.
@Suite(.timeLimit(.minutes(10))) struct UploaderTests {
  let time = ManualTime()
  let log = RecordedLog()
  let target = ScriptedTarget()

  /// Runs an uploader while a closure runs.
  func withUploader(
    _ queue: MemoryQueue, policy: UploadPolicy = .test(parallel: 1),
    bandwidth: BandwidthShare? = nil, random: Double = 1,
    _ body: (Uploader, AsyncStream<DeliveryEvent>) async throws -> Void
  ) async throws {
    let uploader = Uploader(
      queue: queue, target: target, policy: policy, bandwidth: bandwidth, time: time.uploadTime,
      random: { random }, logger: log.logger)
    #expect(uploader.status.activity == .stopped)
    let events = uploader.events.listen()
    let running = Task { await uploader.run() }
    try await body(uploader, events)
    running.cancel()
    await running.value
    #expect(uploader.status.activity == .stopped)
    #expect(uploader.status.deliveries.isEmpty)
    #expect(await queue.claims.isEmpty, "no claim is left behind")
  }

  /// Waits until the uploader rests in a state.
  func rest(
    _ uploader: Uploader, where isWanted: (UploadStatus) -> Bool
  ) async {
    for await _ in time.sleeps where isWanted(uploader.status) { return }
  }

  func rest(_ uploader: Uploader, _ activity: UploadStatus.Activity) async {
    await rest(uploader) { $0.activity == activity }
  }

  @Test func `items are delivered oldest first`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
      #expect(await events.next() == .began(id: "b", remoteName: "b", attempt: 1))
      #expect(await events.next() == .completed(id: "b", receipt: target.receipt("b")))
      await rest(uploader, .idle)
      let counters = uploader.status.counters
      #expect(counters.delivered == 2)
      #expect(counters.bytes == 2000)
      #expect(counters.duplicates == 0)
      #expect(counters.failures == 0)
      #expect(uploader.status.lastReceipt == target.receipt("b"))
      time.advance(by: .seconds(7))
      #expect(uploader.status.lastReceiptAge == .seconds(7))
      await queue.add(.test("c"))
      #expect(await events.next() == .began(id: "c", remoteName: "c", attempt: 1))
      #expect(await events.next() == .completed(id: "c", receipt: target.receipt("c")))
    }
    #expect(target.delivered == ["a", "b", "c"])
  }

  @Test func `several deliveries run at once and are shown`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b"), .test("c"), .test("d")])
    for id in ["a", "b", "c", "d"] { target.block(id) }
    let bandwidth = BandwidthShare(bytesPerSecond: 900)
    #expect(bandwidth.share == 900)
    try await withUploader(queue, policy: .test(parallel: 3), bandwidth: bandwidth) {
      uploader, events in
      var events = events.makeAsyncIterator()
      for id in ["a", "b", "c"] {
        #expect(await events.next() == .began(id: id, remoteName: id, attempt: 1))
      }
      #expect(uploader.status.deliveries.map(\.id) == ["a", "b", "c"])
      #expect(uploader.status.deliveries.map(\.byteCount) == [1000, 1000, 1000])
      #expect(uploader.status.activity == .delivering)
      #expect(bandwidth.share == 300)
      target.unblock("b")
      #expect(await events.next() == .completed(id: "b", receipt: target.receipt("b")))
      #expect(await events.next() == .began(id: "d", remoteName: "d", attempt: 1))
      #expect(uploader.status.deliveries.map(\.id) == ["a", "c", "d"])
      for id in ["a", "c"] { target.unblock(id) }
      for _ in 0..<2 { _ = await events.next() }
      #expect(uploader.status.counters.delivered == 3)
      #expect(bandwidth.share == 900)
      target.unblock("d")
      await rest(uploader, .idle)
    }
    #expect(await queue.receipts.map(\.id).sorted() == ["a", "b", "c", "d"])
  }

  @Test func `a target's fault causes a wait and is shown`() async throws {
    let queue = MemoryQueue([.test("a")])
    let fault = DeliveryFailure(
      .throttled, scope: .target, text: "busy", status: 503, retryAfter: .seconds(30))
    target.fail("a", fault)
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      await rest(uploader, .waiting(remaining: .seconds(35), scope: .target, reason: fault))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(
        await events.next()
          == .failed(id: "a", failure: fault, attempts: 1, nextAttemptIn: .seconds(35)))
      time.advance(by: .seconds(15))
      #expect(uploader.status.breaker == .open(remaining: .seconds(20), reason: fault))
      // An arrival is no reason to ask a server that asked for a pause.
      await queue.add(.test("b"))
      time.advance(by: .seconds(19.5))
      #expect(target.delivered == ["a"])
      target.block("b")
      time.advance(by: .seconds(0.5))
      // The probe is with the other item; then the first item waits for its own turn.
      #expect(await events.next() == .began(id: "b", remoteName: "b", attempt: 1))
      #expect(uploader.status.breaker == .probing(reason: fault))
      target.unblock("b")
      #expect(await events.next() == .completed(id: "b", receipt: target.receipt("b")))
      // The target's own pause is over.
      let itsOwn = DeliveryFailure(.throttled, scope: .item, text: "busy", status: 503)
      await rest(uploader, .waiting(remaining: .seconds(5), scope: .item, reason: itsOwn))
      #expect(uploader.status.breaker == .closed)
      #expect(uploader.status.waitingItemCount == 1)
      #expect(uploader.status.waitingItems.first?.id == "a")
      time.advance(by: .seconds(5))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 2))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
    }
    #expect(await queue.failures.map(\.attempts) == [1])
    #expect(await queue.receipts.map(\.id) == ["b", "a"])
    #expect(await queue.pauses == [TargetPause(remaining: .seconds(35), failure: fault), nil])
  }

  @Test func `an item's fault lets the others pass`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    let fault = DeliveryFailure(.conflict, scope: .item, text: "something else is there")
    target.fail("a", fault)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(1), scope: .item, reason: fault))
      #expect(target.delivered == ["a", "b"])
      // An arrival does not wait for the item that does.
      await queue.add(.test("c"))
      await rest(uploader) { $0.counters.delivered == 2 && $0.deliveries.isEmpty }
      #expect(target.delivered == ["a", "b", "c"])
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
      #expect(target.delivered == ["a", "b", "c", "a"])
    }
  }

  @Test func `an item that fails too often is parked and may come back`() async throws {
    let queue = MemoryQueue([.test("good"), .test("bad")])
    let fault = DeliveryFailure(.rejected, scope: .item, text: "422", status: 422)
    target.fail("bad", fault)
    try await withUploader(queue, policy: .test(parallel: 1, parkedAfter: 1)) { uploader, events in
      var events = events.makeAsyncIterator()
      for _ in 0..<3 { _ = await events.next() }
      #expect(await events.next() == .parked(id: "bad", failure: fault, attempts: 1))
      await rest(uploader, .idle)
      #expect(uploader.status.counters.parked == 1)
      #expect(await queue.parked.map(\.id) == ["bad"])
      #expect(await queue.failures.isEmpty)
      await queue.unpark(.test("bad"))
      await uploader.retryNow(id: "bad")
      #expect(await events.next() == .began(id: "bad", remoteName: "bad", attempt: 1))
      #expect(await events.next() == .completed(id: "bad", receipt: target.receipt("bad")))
    }
  }

  @Test func `a receipt for other bytes is refused`() async throws {
    let queue = MemoryQueue([.test("a")])
    target.receiveOther()
    try await withUploader(queue) { uploader, _ in
      await rest(uploader) { $0.counters.failures == 1 && $0.waitingItemCount == 1 }
      #expect(uploader.status.waitingItems.first?.reason.code == .corrupted)
    }
    #expect(await queue.receipts.isEmpty)
  }

  @Test func `canceling counts no attempt`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    target.block("a")
    target.block("b")
    try await withUploader(queue, policy: .test()) { uploader, events in
      var events = events.makeAsyncIterator()
      for _ in 0..<2 { _ = await events.next() }
      #expect(uploader.status.deliveries.count == 2)
    }
    #expect(await queue.failures.isEmpty)
    #expect(await queue.releases.sorted() == ["a", "b"])
    #expect(await queue.waiting.map(\.id) == ["a", "b"])
  }

  @Test func `a receipt that came in time is committed at the end`() async throws {
    let queue = MemoryQueue([.test("a")])
    await queue.breakDown(.complete, times: 1)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader) { $0.queueFault != nil }
      #expect(await queue.receipts.isEmpty)
    }
    #expect(await queue.receipts.map(\.id) == ["a"])
  }

  @Test func `a general retry ends the wait`() async throws {
    let queue = MemoryQueue([.test("a")])
    let fault = DeliveryFailure(.unreachable, scope: .target, text: "no network")
    target.fail("a", fault)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(1), scope: .target, reason: fault))
      await uploader.retryNow()
      await rest(uploader, .idle)
      #expect(target.delivered == ["a", "a"])
    }
  }
}
