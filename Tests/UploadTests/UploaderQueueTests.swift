import TestSupport
import Testing

@testable import Upload

/// The uploader with a queue that fails, and the states that it keeps in a queue.
extension UploaderTests {
  @Test func `a receipt that cannot be committed is offered again`() async throws {
    let queue = MemoryQueue([.test("a")])
    await queue.breakDown(.complete, times: 2)
    try await withUploader(queue) { uploader, _ in
      for seconds in [1, 2] {
        await rest(uploader) { $0.queueFault?.remaining == .seconds(seconds) }
        guard case .waiting(_, .target, let reason) = uploader.status.activity else {
          Issue.record("\(uploader.status)")
          return
        }
        #expect(reason.code == .queueFailed)
        time.advance(by: .seconds(seconds))
      }
      await rest(uploader, .idle)
    }
    #expect(target.delivered == ["a"])
    #expect(await queue.receipts.count == 1)
  }

  @Test(arguments: [MemoryQueue.Function.failed, .park])
  func `a failure that cannot be recorded is offered again`(function: MemoryQueue.Function)
    async throws
  {
    let queue = MemoryQueue([.test("good"), .test("a", itemFailures: function == .park ? 7 : 0)])
    await queue.breakDown(function, times: 1)
    let fault = DeliveryFailure(.rejected, scope: .item, text: "422")
    target.fail("a", fault)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader) { $0.queueFault != nil }
      #expect(!log.lines.contains { $0.message.contains("is parked") })
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
    }
    let isParked = log.lines.contains { $0.message.contains("is parked") }
    #expect(isParked == (function == .park))
    #expect(await queue.failures.count + queue.parked.count == 1)
    #expect(target.delivered == (function == .park ? ["good", "a"] : ["good", "a", "a"]))
  }

  @Test func `a request to a failed queue is retried`() async throws {
    let queue = MemoryQueue([.test("a")])
    await queue.breakDown(.next, times: 1)
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      await rest(uploader) { $0.queueFault != nil }
      time.advance(by: .seconds(1))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
    }
  }

  @Test func `a resume state is kept for the next attempt`() async throws {
    let queue = MemoryQueue([.test("a")])
    target.block("a")
    target.fail("a", DeliveryFailure(.unreachable, scope: .target, text: "reset"))
    let state = ResumeState(kind: "tus", session: "http://host/1")
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      _ = await events.next()
      await target.untilBegun("a")
      try await target.journal(of: "a")?.keep(state)
      target.unblock("a")
      await rest(uploader) { $0.counters.failures == 1 && $0.deliveries.isEmpty }
      target.unblock("a")
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
    }
    #expect(target.begun.map(\.resumeState) == [nil, state])
  }

  @Test func `a queue that cannot keep ends the delivery without a fault of the target`()
    async throws
  {
    let queue = MemoryQueue([.test("a")])
    await queue.breakDown(.keepState, times: 1)
    let fault = DeliveryFailure(.queueFailed, scope: .target, text: "no room")
    target.fail("a", fault)
    target.block("a")
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      _ = await events.next()
      await target.untilBegun("a")
      let journal = try #require(target.journal(of: "a"))
      let failure = try await #require(throws: DeliveryFailure.self) { try await journal.keep(nil) }
      #expect(failure.code == .queueFailed)
      #expect(failure.text.contains("\"a\""))
      // The target passes the failure on, as the delivery's own end.
      target.unblock("a")
      await rest(uploader) { $0.queueFault?.reason == fault }
      #expect(uploader.status.breaker == .closed)
      target.unblock("a")
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
    }
    #expect(await queue.failures.isEmpty)
    #expect(await queue.releases == ["a"])
    #expect(await queue.receipts.map(\.id) == ["a"])
  }

  @Test func `a delivery's progress is shown and reported four times a second`() async throws {
    let queue = MemoryQueue([.test("a")])
    target.block("a")
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      _ = await events.next()
      await target.untilBegun("a")
      let journal = try #require(target.journal(of: "a"))
      // There are a hundred notes in a second.
      for bytes in 1...100 as ClosedRange<Int64> {
        let progress = DeliveryProgress(bytesSent: bytes, fraction: 0.5, text: "sorting")
        journal.note(progress)
        #expect(uploader.status.deliveries.first?.progress == progress)
        time.advance(by: .milliseconds(10))
      }
      target.unblock("a")
      var told: [Int64?] = []
      while case .progressed(_, let progress) = await events.next() {
        told.append(progress.bytesSent)
      }
      #expect(told == [1, 26, 51, 76])
      // A late note has no effect.
      journal.note(DeliveryProgress())
      await rest(uploader, .idle)
    }
  }

  @Test func `a target's fault is no reason to wait when no item is left`() async throws {
    let queue = MemoryQueue([.test("a")])
    let fault = DeliveryFailure(.unreachable, scope: .target, text: "no network")
    target.fail("a", fault)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(1), scope: .target, reason: fault))
      await queue.remove("a")
      time.advance(by: .seconds(1))
      await rest(uploader, .idle)
      #expect(uploader.status.breaker == .open(remaining: .zero, reason: fault))
    }
  }

  @Test func `a pause of an earlier run is honored`() async throws {
    let fault = DeliveryFailure(
      .throttled, scope: .target, text: "busy", status: 429, retryAfter: .seconds(60))
    let queue = MemoryQueue(
      [.test("a")], pause: TargetPause(remaining: .seconds(40), failure: fault))
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(40), scope: .target, reason: fault))
      time.advance(by: .seconds(40))
      await rest(uploader, .idle)
    }
    #expect(await queue.pauses == [nil])
    #expect(target.delivered == ["a"])
  }

  @Test func `a pause that cannot be read or kept does not stop deliveries`() async throws {
    let queue = MemoryQueue([.test("a")])
    await queue.breakDown(.keptPause, times: 1)
    await queue.breakDown(.keepPause, times: 1)
    let fault = DeliveryFailure(
      .throttled, scope: .target, text: "busy", status: 429, retryAfter: .seconds(60))
    target.fail("a", fault)
    try await withUploader(queue) { uploader, _ in
      await rest(uploader, .waiting(remaining: .seconds(65), scope: .target, reason: fault))
      time.advance(by: .seconds(65))
      await rest(uploader, .idle)
    }
    #expect(log.lines.filter { $0.message.contains("pause cannot be") }.count == 2)
  }
}
