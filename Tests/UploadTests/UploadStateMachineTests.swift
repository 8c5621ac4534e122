import Testing

@testable import Upload

/// The order of deliveries and waits, with one fault at a time.
@Suite struct UploadStateMachineTests {
  @Test func `an empty queue waits for an arrival`() {
    var world = UploadWorld()
    #expect(world.pump() == [])
    #expect(world.waitEnd == nil)
    #expect(world.fetchCount == 1)
    // Only an arrival starts another look at the queue.
    world.advance(to: .seconds(10_000))
    #expect(world.fetchCount == 1)
    world.add(.test("a"))
    #expect(world.pump() == ["a"])
  }

  @Test func `an item that arrives during a look at the queue is not missed`() {
    var machine = UploadStateMachine(policy: .test())
    #expect(machine.next(at: .zero) == .fetch(excluding: []))
    machine.arrived()
    #expect(machine.fetched(nil, at: .zero) == nil)
    #expect(machine.next(at: .zero) == .fetch(excluding: []))
  }

  /// The ends of a delivery during a look at the queue that had to skip its item.
  enum EndDuringALook: CaseIterable {
    case unreachable, queueFailed, fileUnreadable, refused, cancelled
  }

  @Test(arguments: EndDuringALook.allCases)
  func `an item that fails during a look at the queue is retried`(end: EndDuringALook) {
    var machine = UploadStateMachine(policy: .test(parallel: 2))
    _ = machine.next(at: .zero)
    _ = machine.fetched(.test("a"), at: .zero)
    #expect(machine.next(at: .zero) == .fetch(excluding: ["a"]))
    let failure: DeliveryFailure? =
      switch end {
      case .unreachable: DeliveryFailure(.unreachable, scope: .target, text: "refused")
      case .queueFailed: DeliveryFailure(.queueFailed, scope: .target, text: "full")
      case .fileUnreadable: DeliveryFailure(.fileUnreadable, scope: .item, text: "")
      case .refused: DeliveryFailure(.rejected, scope: .item, text: "422", status: 422)
      case .cancelled: nil
      }
    if let failure {
      _ = machine.failed("a", failure, at: .zero, random: 1)
    } else {
      machine.cancelled("a", at: .zero)
    }
    #expect(machine.fetched(nil, at: .zero) == nil)
    // The first wait is a second, and nothing else happens.
    var isBegun = false
    for _ in 0..<10 where !isBegun {
      switch machine.next(at: .seconds(1)) {
      case .settle: machine.settled()
      case .fetch(let excluded):
        let found: PendingDelivery? = excluded.contains("a") ? nil : .test("a")
        isBegun = machine.fetched(found, at: .seconds(1)) != nil
      case .keep: break
      case .wait(let end):
        Issue.record("it waits until \(String(describing: end)) for an item that waits for it")
        return
      }
    }
    #expect(isBegun)
  }

  @Test func `a wait that is ended during a look at the queue is over`() {
    var machine = UploadStateMachine(policy: .test(parallel: 1))
    _ = machine.next(at: .zero)
    _ = machine.fetched(.test("a"), at: .zero)
    let failure = DeliveryFailure(.rejected, scope: .item, text: "422", status: 422)
    _ = machine.failed("a", failure, at: .zero, random: 1)
    _ = machine.next(at: .zero)
    machine.settled()
    #expect(machine.next(at: .seconds(0.5)) == .fetch(excluding: ["a"]))
    machine.retryNow(at: .seconds(0.5))
    #expect(machine.fetched(nil, at: .seconds(0.5)) == nil)
    #expect(machine.next(at: .seconds(0.5)) == .fetch(excluding: []))
  }

  @Test(arguments: UploadPolicy.parallelRange)
  func `the allowed number of deliveries run at once, the oldest first`(parallel: Int) {
    let ids = (0..<20).map { "\($0)" }
    var world = UploadWorld(.test(parallel: parallel), items: ids)
    #expect(world.pump() == Array(ids.prefix(parallel)))
    #expect(world.finish("0", .delivered) == [ids[parallel]])
    #expect(world.delivered == ["0"])
  }

  @Test func `a receipt is committed before anything else`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.queueFaults = 2
    #expect(world.finish("a", .delivered) == [])
    #expect(world.waitEnd == .seconds(1))
    #expect(world.advance(to: .seconds(2.9)) == [])
    #expect(world.delivered == [])
    #expect(world.waitEnd == .seconds(3), "the queue's failures in a row count")
    #expect(world.advance(to: .seconds(3)) == ["b"])
    #expect(world.delivered == ["a"])
  }

  @Test func `an item's fault lets the others pass`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    #expect(world.end("a", .refused) == .retried(in: .seconds(1)))
    #expect(world.pump() == ["b"])
    #expect(world.finish("b", .delivered) == [])
    #expect(world.waitEnd == .seconds(1))
    #expect(world.advance(to: .seconds(1)) == ["a"])
    #expect(world.end("a", .refused) == .retried(in: .seconds(2)))
    #expect(world.advance(to: .seconds(2.9)) == [])
    #expect(world.advance(to: .seconds(3)) == ["a"])
  }

  @Test func `an item whose turn comes during a fetch is not forgotten`() {
    var machine = UploadStateMachine(policy: .test(parallel: 1))
    _ = machine.next(at: .zero)
    _ = machine.fetched(.test("a"), at: .zero)
    guard
      case .failed(let failure) = UploadWorld.Ending.refused,
      case .retried = machine.failed("a", failure, at: .zero, random: 1)
    else { return }
    _ = machine.next(at: .zero)
    machine.settled()
    #expect(machine.next(at: .seconds(0.9)) == .fetch(excluding: ["a"]))
    // The queue had to skip "a", however long it takes.
    #expect(machine.fetched(nil, at: .seconds(5)) == nil)
    #expect(machine.next(at: .seconds(5)) == .fetch(excluding: []))
  }

  @Test func `an item that has gone is forgotten`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a"])
    world.pump()
    world.finish("a", .refused)
    #expect(world.machine.faults.count == 1)
    world.remove("a")
    world.advance(to: .seconds(1))
    #expect(world.machine.faults.count == 0)
    #expect(world.waitEnd == nil)
  }

  @Test func `bad items do not block fresh items`() {
    let bad = (0..<6).map { "bad\($0)" }
    let good = (0..<6).map { "good\($0)" }
    var world = UploadWorld(.test(parallel: 1), items: bad + good)
    world.random = 0
    // Every other turn is for an item which has not failed yet, also among the bad ones.
    var taken = 0
    for _ in 0..<24 where taken < 6 {
      world.now += .seconds(2)
      for id in world.pump() {
        world.end(id, id.hasPrefix("good") ? .delivered : .refused)
        if id.hasPrefix("good") { taken += 1 }
      }
    }
    #expect(taken == 6)
    #expect(world.begun.count <= 24)
  }

  @Test func `an item that the queue names too late is released`() {
    var machine = UploadStateMachine(policy: .test())
    _ = machine.next(at: .zero)
    machine.setHolds([.technician])
    #expect(machine.fetched(.test("a"), at: .zero) == nil)
    #expect(machine.next(at: .zero) == .settle(.init(id: "a", result: .release)))
  }

  @Test func `a delivery that the queue ends is not the target's fault`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a"])
    world.pump()
    let failure = DeliveryFailure(.queueFailed, scope: .target, text: "full")
    #expect(world.end("a", .failed(failure)) == .retried(in: .seconds(1)))
    #expect(world.machine.breaker.state == .closed)
    #expect(world.advance(to: .seconds(0.9)) == [])
    #expect(world.advance(to: .seconds(1)) == ["a"])
    #expect(world.released == ["a"])
    #expect(world.failedCount == 0)
  }

  @Test func `an item with a file that cannot be read says nothing about the target`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b", "c"])
    world.pump()
    world.finish("a", .broken)
    #expect(world.advance(to: .seconds(1)) == ["b"])
    world.end("b", .failed(DeliveryFailure(.fileUnreadable, scope: .item, text: "")))
    // The item was the probe, and another is needed.
    #expect(world.pump() == ["c"])
    #expect(world.machine.breaker.state == .halfOpen(probe: "c"))
  }

  @Test func `a general retry ends all waits`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.finish("a", .refused)
    world.finish("b", .broken)
    #expect(world.pump() == [])
    world.machine.retryNow(at: world.now)
    #expect(world.pump() == ["a"])
  }

  @Test func `a requested retry ends the wait of an item`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.finish("a", .refused)
    world.finish("b", .refused)
    world.machine.retryNow("b")
    #expect(world.pump() == ["b"])
  }

  @Test func `a requested retry of an item does not end a wait for the target`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a"])
    world.pump()
    world.finish("a", .broken)
    world.machine.retryNow("a")
    #expect(world.pump() == [])
    #expect(world.waitEnd == .seconds(1))
  }
}
