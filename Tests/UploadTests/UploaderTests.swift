import Logging
import Synchronization
import Testing

@testable import Upload

/// The uploader with a target that answers as told, and clocks that only the test moves.
@Suite(.timeLimit(.minutes(5))) struct UploaderTests {
  private let time = ManualTime()

  private func item(_ id: String) -> PendingDelivery {
    PendingDelivery(
      id: id, path: "/", byteCount: 1, sha256: "00", remoteName: id, contentType: "image/jpeg")
  }

  /// Runs an uploader while a body looks on.
  private func withUploader(
    _ queue: MemoryQueue, _ target: ScriptedTarget,
    _ body: (Uploader, AsyncStream<DeliveryEvent>) async throws -> Void
  ) async throws {
    let uploader = Uploader(
      queue: queue, target: target, time: time.uploadTime, random: { 1 },
      logger: Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() }))
    #expect(uploader.status.activity == .stopped)
    let events = uploader.events()
    let running = Task { await uploader.run() }
    try await body(uploader, events)
    running.cancel()
    await running.value
    #expect(uploader.status.activity == .stopped)
  }

  @Test func itemsAreDeliveredOldestFirst() async throws {
    let queue = MemoryQueue([item("a"), item("b")])
    let target = ScriptedTarget()
    try await withUploader(queue, target) { uploader, events in
      var events = events.makeAsyncIterator()
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
      #expect(await events.next() == .began(id: "b", remoteName: "b", attempt: 1))
      #expect(await events.next() == .completed(id: "b", receipt: target.receipt("b")))
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(86_400))
      #expect(uploader.status.activity == .idle)
      #expect(uploader.status.deliveredCount == 2)
      await queue.add(item("c"))
      #expect(await events.next() == .began(id: "c", remoteName: "c", attempt: 1))
    }
    #expect(target.delivered.prefix(2) == ["a", "b"])
  }

  @Test func aTargetsFaultIsWaitedOutAndShown() async throws {
    let queue = MemoryQueue([item("a")])
    let target = ScriptedTarget()
    let fault = DeliveryFailure(
      .throttled, scope: .target, text: "busy", status: 503, retryAfter: .seconds(30))
    target.fail("a", fault)
    try await withUploader(queue, target) { uploader, events in
      var events = events.makeAsyncIterator()
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(35))
      #expect(
        uploader.status.activity
          == .waiting(remaining: .seconds(35), scope: .target, reason: fault))
      time.advance(by: .seconds(15))
      #expect(
        uploader.status.activity
          == .waiting(remaining: .seconds(20), scope: .target, reason: fault))
      // An arrival is no reason to ask a server that wants to be left alone.
      await queue.add(item("b"))
      time.advance(by: .seconds(19.5))
      #expect(target.delivered == ["a"])
      time.advance(by: .seconds(0.5))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(
        await events.next()
          == .failed(id: "a", failure: fault, attempts: 1, nextAttemptIn: .seconds(35)))
      // The probe is with the other item; then the first one waits for its own turn.
      #expect(await events.next() == .began(id: "b", remoteName: "b", attempt: 1))
      #expect(await events.next() == .completed(id: "b", receipt: target.receipt("b")))
      #expect(await sleeps.next() == .seconds(35))
      time.advance(by: .seconds(35))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 2))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
    }
    #expect(await queue.failures.map(\.attempts) == [1])
    #expect(await queue.receipts.map(\.id) == ["b", "a"])
  }

  @Test func anItemsFaultLetsTheOthersPass() async throws {
    let queue = MemoryQueue([item("a"), item("b")])
    let target = ScriptedTarget()
    let fault = DeliveryFailure(.conflict, scope: .item, text: "something else is there")
    target.fail("a", fault)
    try await withUploader(queue, target) { uploader, _ in
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      #expect(target.delivered == ["a", "b"])
      #expect(
        uploader.status.activity == .waiting(remaining: .seconds(1), scope: .item, reason: fault))
      // An arrival does not wait for the one that does.
      await queue.add(item("c"))
      #expect(await sleeps.next() == .seconds(1))
      #expect(target.delivered == ["a", "b", "c"])
      time.advance(by: .seconds(1))
      #expect(await sleeps.next() == .seconds(86_400))
      #expect(target.delivered == ["a", "b", "c", "a"])
    }
  }

  @Test func aReceiptThatCannotBeCommittedIsOfferedAgain() async throws {
    let queue = MemoryQueue([item("a")])
    let target = ScriptedTarget()
    await queue.breakDown(complete: 2)
    try await withUploader(queue, target) { uploader, _ in
      var sleeps = time.sleeps.makeAsyncIterator()
      for seconds in [1, 2] {
        #expect(await sleeps.next() == .seconds(seconds))
        guard case .waiting(_, .target, let reason) = uploader.status.activity else {
          Issue.record("\(uploader.status)")
          return
        }
        #expect(reason.code == .queueFailed)
        time.advance(by: .seconds(seconds))
      }
      #expect(await sleeps.next() == .seconds(86_400))
    }
    #expect(target.delivered == ["a"])
    #expect(await queue.receipts.count == 1)
  }

  @Test func aQueueThatDoesNotAnswerIsAskedAgain() async throws {
    let queue = MemoryQueue([item("a")])
    let target = ScriptedTarget()
    await queue.breakDown(next: 1)
    try await withUploader(queue, target) { _, events in
      var events = events.makeAsyncIterator()
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      time.advance(by: .seconds(1))
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(await events.next() == .completed(id: "a", receipt: target.receipt("a")))
    }
  }

  @Test func cancellingCountsNoAttempt() async throws {
    let queue = MemoryQueue([item("a")])
    let target = ScriptedTarget()
    target.block("a")
    try await withUploader(queue, target) { uploader, events in
      var events = events.makeAsyncIterator()
      #expect(await events.next() == .began(id: "a", remoteName: "a", attempt: 1))
      #expect(uploader.status.activity == .delivering(id: "a"))
    }
    #expect(await queue.failures.isEmpty)
    #expect(await queue.waiting.map(\.id) == ["a"])
  }

  @Test func somebodyWhoKnowsCanEndTheWait() async throws {
    let queue = MemoryQueue([item("a")])
    let target = ScriptedTarget()
    target.fail("a", DeliveryFailure(.unreachable, scope: .target, text: "no network"))
    try await withUploader(queue, target) { uploader, _ in
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      await uploader.retryNow()
      #expect(await sleeps.next() == .seconds(86_400))
      #expect(target.delivered == ["a", "a"])
    }
  }

  @Test func aReaderThatDoesNotKeepUpLosesTheOldestAndThatIsCounted() async throws {
    let queue = MemoryQueue((0..<200).map { item("\($0)") })
    try await withUploader(queue, ScriptedTarget()) { uploader, events in
      var events = events.makeAsyncIterator()
      var sleeps = time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(86_400))
      #expect(uploader.status.deliveredCount == 200)
      #expect(uploader.status.droppedEventCount == 400 - UploadBoard.eventBufferCount)
      #expect(await events.next() == .began(id: "72", remoteName: "72", attempt: 1))
    }
  }
}

/// A target that delivers at once, or fails, or never ends.
private final class ScriptedTarget: UploadTarget {
  private struct State {
    var failures: [String: [DeliveryFailure]] = [:]
    var blocked: Set<String> = []
    var delivered: [String] = []
  }
  private let state = Mutex(State())

  var description: String { "scripted" }
  /// The items that were to be delivered, in order.
  var delivered: [String] { state.withLock { $0.delivered } }

  func fail(_ id: String, _ failures: DeliveryFailure...) {
    state.withLock { $0.failures[id] = failures }
  }

  func block(_ id: String) { state.withLock { _ = $0.blocked.insert(id) } }

  func receipt(_ id: String) -> Receipt {
    Receipt(
      url: "test:\(id)", remoteName: id, sha256: "00", verification: .readBack, status: 201,
      entityTag: nil, isDuplicate: false, wallNanoseconds: 0)
  }

  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    let (failure, isBlocked) = state.withLock { state in
      state.delivered.append(delivery.id)
      let failures = state.failures[delivery.id] ?? []
      state.failures[delivery.id] = Array(failures.dropFirst())
      return (failures.first, state.blocked.contains(delivery.id))
    }
    if let failure { throw failure }
    if isBlocked {
      let (endless, _) = AsyncStream.makeStream(of: Void.self)
      for await _ in endless {}
      throw DeliveryFailure(.cancelled, scope: .target, text: "cancelled")
    }
    return receipt(delivery.id)
  }
}
