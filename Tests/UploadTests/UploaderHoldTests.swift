import Logging
import TestSupport
import Testing

@testable import Upload

/// Holds, the window and the start of the uploader, and its log.
extension UploaderTests {
  @Test(arguments: [UploadHold.technician, .thermalSerious])
  func `a hold lets running deliveries finish and begins none`(_ hold: UploadHold) async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    target.block("a")
    try await withUploader(queue) { uploader, events in
      var events = events.makeAsyncIterator()
      _ = await events.next()
      await uploader.setHolds([hold])
      #expect(uploader.status.activity == .delivering)
      #expect(uploader.status.holds == [hold])
      target.unblock("a")
      // An earlier sleep may be seen with the current status.
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
      await rest(uploader, .held)
      #expect(uploader.status.holds == [hold])
      #expect(await queue.receipts.map(\.id) == ["a"])
      await uploader.setHolds([])
      await rest(uploader, .idle)
    }
    #expect(target.delivered == ["a", "b"])
  }

  @Test func `critical heat ends running deliveries and counts no attempt`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    for id in ["a", "b"] { target.block(id) }
    try await withUploader(queue, policy: .test()) { uploader, events in
      var events = events.makeAsyncIterator()
      for _ in 0..<2 { _ = await events.next() }
      await uploader.setHolds([.technician])
      #expect(uploader.status.deliveries.count == 2)
      await uploader.setHolds([.technician, .thermalCritical])
      await rest(uploader, .held)
      #expect(await queue.releases.sorted() == ["a", "b"])
      #expect(await queue.waiting.map(\.id) == ["a", "b"])
      #expect(await queue.failures.isEmpty)
      #expect(uploader.status.counters.failures == 0)
      // The deliveries are repeated, as at the first time.
      for id in ["a", "b"] { target.block(id) }
      await uploader.setHolds([])
      for id in ["a", "b"] {
        #expect(await events.next() == .began(id: id, remoteName: id, attempt: 1))
      }
      for id in ["a", "b"] { target.unblock(id) }
      await rest(uploader, .idle)
    }
    #expect(await queue.receipts.map(\.id).sorted() == ["a", "b"])
  }

  @Test func `critical heat discards no receipt`() async throws {
    let queue = MemoryQueue([.test("a"), .test("b")])
    await queue.breakDown(.complete, times: 1)
    try await withUploader(queue) { uploader, events in
      await rest(uploader) { $0.queueFault != nil }
      await uploader.setHolds([.thermalCritical])
      time.advance(by: .seconds(1))
      for await case .completed in events { break }
      await rest(uploader, .held)
      #expect(await queue.receipts.map(\.id) == ["a"])
      #expect(target.delivered == ["a"])
    }
  }

  @Test func `the end of the window lets running deliveries finish`() async throws {
    var policy = UploadPolicy.test(parallel: 1)
    let from = try #require(TimeOfDay("22:00"))
    let until = try #require(TimeOfDay("06:00"))
    policy.window = UploadWindow(from: from, until: until)
    time.localTime = LocalTime(weekday: .tuesday, secondOfDay: 6 * 3600 - 1)
    let queue = MemoryQueue([.test("a"), .test("b")])
    target.block("a")
    try await withUploader(queue, policy: policy) { uploader, events in
      var events = events.makeAsyncIterator()
      _ = await events.next()
      time.localTime = LocalTime(weekday: .tuesday, secondOfDay: 6 * 3600)
      await queue.add(.test("c"))
      await rest(uploader) { $0.holds == [.window] }
      #expect(uploader.status.activity == .delivering)
      target.unblock("a")
      // An earlier sleep may be seen with the current status.
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
      await rest(uploader, .held)
      #expect(await queue.receipts.map(\.id) == ["a"])
    }
    #expect(target.delivered == ["a"])
  }

  @Test func `no delivery begins outside the window`() async throws {
    var policy = UploadPolicy.test()
    let from = try #require(TimeOfDay("22:00"))
    let until = try #require(TimeOfDay("06:00"))
    policy.window = UploadWindow(from: from, until: until)
    time.localTime = LocalTime(weekday: .monday, secondOfDay: 21 * 3600 + 3570)
    let queue = MemoryQueue([.test("a")])
    try await withUploader(queue, policy: policy) { uploader, _ in
      await rest(uploader, .held)
      #expect(uploader.status.holds == [.window])
      time.localTime = LocalTime(weekday: .monday, secondOfDay: 22 * 3600)
      time.advance(by: .seconds(30))
      await rest(uploader, .idle)
      #expect(target.delivered == ["a"])
      // The window closes again for later items, and a clock that is not trusted opens it.
      time.localTime = LocalTime(weekday: .tuesday, secondOfDay: 6 * 3600)
      await queue.add(.test("b"))
      await rest(uploader, .held)
      time.localTime = nil
      time.advance(by: .seconds(60))
      await rest(uploader, .idle)
    }
    #expect(target.delivered == ["a", "b"])
  }

  @Test func `a backlog begins after the jitter and the first press at once`() async throws {
    var policy = UploadPolicy.test()
    policy.startJitter = .seconds(2)
    try await withUploader(MemoryQueue([.test("a")]), policy: policy, random: 0.5) { uploader, _ in
      await rest(uploader) { _ in true }
      #expect(target.delivered == [])
      time.advance(by: .seconds(1))
      await rest(uploader) { $0.counters.delivered == 1 }
    }
    let queue = MemoryQueue()
    try await withUploader(queue, policy: policy, random: 0.5) { uploader, _ in
      await rest(uploader, .idle)
      await queue.add(.test("b"))
      await rest(uploader) { $0.counters.delivered == 1 }
    }
  }

  @Test func `a target that stays down gets a line a minute`() async throws {
    let queue = MemoryQueue([.test("a")])
    let down = DeliveryFailure(.unreachable, scope: .target, text: "down")
    let broken = DeliveryFailure(.serverError, scope: .target, text: "500", status: 500)
    target.fail("a", down, down, down, down, down, down, down, broken)
    try await withUploader(queue) { uploader, _ in
      for count in 1...8 {
        await rest(uploader) { $0.counters.failures == count && $0.deliveries.isEmpty }
        guard case .open(let remaining, _) = uploader.status.breaker else {
          Issue.record("\(uploader.status.breaker)")
          return
        }
        time.advance(by: remaining)
      }
      await rest(uploader, .idle)
    }
    // The failures are at 0, 1, 3, 7, 15, 31 and 63 seconds, and for another reason at 127.
    let lines = log.lines.filter { $0.message == "delivery failed, trying again" }
    #expect(lines.map { $0.metadata["failures.unwritten"] } == [nil, "5", nil])
    #expect(
      lines.map { $0.metadata["failure.code"] } == ["unreachable", "unreachable", "serverError"])
    #expect(lines.allSatisfy { $0.level == .warning })
    #expect(log.lines.filter { $0.level == .debug }.map(\.message) == ["delivered"])
  }
}
