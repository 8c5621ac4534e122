import Testing

@testable import Upload

/// The breaker and the machine around it: faults of the target.
@Suite struct TargetFaultTests {
  @Test func `a target's fault makes all deliveries wait`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    #expect(world.end("a", .broken) == .retried(in: .seconds(1)))
    #expect(world.advance(to: .seconds(0.9)) == [])
    // The probe is with another item, and with the oldest again when that fails too.
    #expect(world.advance(to: .seconds(1)) == ["b"])
    #expect(world.end("b", .broken) == .retried(in: .seconds(2)))
    #expect(world.advance(to: .seconds(2.9)) == [])
    #expect(world.advance(to: .seconds(3)) == ["a"])
    #expect(world.end("a", .broken) == .retried(in: .seconds(4)))
    #expect(world.advance(to: .seconds(7)) == ["b"])
  }

  @Test func `a single item is also the probe`() {
    var world = UploadWorld(items: ["a"])
    world.pump()
    world.finish("a", .broken)
    #expect(world.advance(to: .seconds(1)) == ["a"])
  }

  /// The events between a target's fault and the delivery that finds the target well again.
  enum Meanwhile: CaseIterable {
    case nothing, refusalSoonerThanTheQueue, lateTimer, pauseInTheWait, pauseInTheProbe
    case retryInTheWait, retryInTheProbe, probeCancelled, probeBrokenByTheQueue
  }

  @Test(arguments: Meanwhile.allCases)
  func `the only item is retried by itself`(meanwhile: Meanwhile) {
    var world = UploadWorld(.test(parallel: 2), items: ["a"])
    world.endingDuringFetch = meanwhile == .refusalSoonerThanTheQueue ? .cut : nil
    #expect(world.pump() == ["a"])
    world.endingDuringFetch = nil
    if meanwhile != .refusalSoonerThanTheQueue { world.finish("a", .cut) }
    #expect(world.waitEnd == .seconds(1))
    switch meanwhile {
    case .nothing, .refusalSoonerThanTheQueue: break
    case .lateTimer: world.now = .seconds(3600)
    case .pauseInTheWait:
      world.machine.setHolds([.technician])
      #expect(world.advance(to: .seconds(10)) == [])
      world.machine.setHolds([])
    case .retryInTheWait: world.machine.retryNow(at: world.now)
    case .pauseInTheProbe, .retryInTheProbe, .probeCancelled, .probeBrokenByTheQueue:
      #expect(world.advance(to: .seconds(1)) == ["a"])
      switch meanwhile {
      case .pauseInTheProbe: world.machine.setHolds([.technician])
      case .retryInTheProbe: world.machine.retryNow(at: world.now)
      default: break
      }
      let codes: [Meanwhile: DeliveryFailure.Code] = [
        .probeCancelled: .cancelled, .probeBrokenByTheQueue: .queueFailed,
      ]
      let failure = DeliveryFailure(codes[meanwhile] ?? .unreachable, scope: .target, text: "")
      world.finish("a", .failed(failure))
      if meanwhile == .pauseInTheProbe {
        #expect(world.advance(to: .seconds(10)) == [])
        world.machine.setHolds([])
      }
    }
    // The second wait is two seconds at the most.
    #expect(world.advance(to: world.now + .seconds(2)) == ["a"])
    world.finish("a", .delivered)
    #expect(world.delivered == ["a"])
    #expect(world.machine.breaker.state == .closed)
  }

  @Test func `there is only one probe however many deliveries may run`() {
    var world = UploadWorld(.test(parallel: 8), items: (0..<20).map { "\($0)" })
    #expect(world.pump().count == 8)
    for id in world.inFlight { world.end(id, .broken) }
    #expect(world.advance(to: .seconds(1)).count == 1)
    #expect(world.advance(to: .seconds(100)) == [])
    #expect(world.finish(world.inFlight[0], .delivered).count == 8)
  }

  @Test func `a fault that ends several deliveries counts once`() {
    var world = UploadWorld(.test(parallel: 8), items: (0..<8).map { "\($0)" })
    world.pump()
    for id in world.inFlight { #expect(world.end(id, .broken) == .retried(in: .seconds(1))) }
    #expect(world.machine.breaker.failures == 1)
    #expect(world.failedCount == 0)
    world.pump()
    #expect(world.failedCount == 8, "each attempt is recorded all the same")
  }

  @Test func `a delivery begun before a fault says nothing about the target afterwards`() {
    var world = UploadWorld(.test(parallel: 3), items: ["a", "b", "c", "d"])
    world.pump()
    world.finish("a", .broken)
    #expect(world.finish("b", .delivered) == [])
    #expect(world.machine.breaker.state == .open(until: .seconds(1)))
    #expect(world.advance(to: .seconds(1)) == ["d"])
    // Neither may an old delivery end the probe, nor make the next wait longer.
    world.finish("c", .broken)
    #expect(world.machine.breaker.state == .halfOpen(probe: "d"))
    #expect(world.end("d", .broken) == .retried(in: .seconds(2)))
  }

  @Test(arguments: [0.5, 1.5, 2.5])
  func `the longest pause that the target asks for is kept`(after delay: Double) {
    // The wish comes while the breaker is open, while the probe runs, and after it has closed.
    var world = UploadWorld(.test(parallel: 2), items: ["a", "b", "c", "d", "e", "f"])
    world.pump()
    world.finish("a", .broken)
    world.advance(to: .seconds(delay))
    if delay == 2.5 { world.finish("c", .delivered) }
    world.finish("b", .busy(.seconds(30)))
    for id in world.inFlight { world.finish(id, .delivered) }
    let count = world.begun.count
    world.advance(to: .seconds(delay + 34.9))
    #expect(world.begun.count == count)
    world.advance(to: .seconds(delay + 35))
    #expect(world.begun.count == count + 1)
  }

  @Test func `an item that breaks the server does not block the others`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b", "c", "d"])
    world.pump()
    world.finish("a", .broken)
    #expect(world.advance(to: .seconds(1)) == ["b"])
    // The target works: the fault was that of "a", which waits on alone.
    #expect(world.finish("b", .delivered) == ["c"])
    #expect(world.machine.faults["a"]?.end == .seconds(2))
    world.advance(to: .seconds(2))
    #expect(world.finish("c", .delivered) == ["a"])
    world.finish("a", .broken)
    #expect(world.advance(to: .seconds(3)) == ["d"])
    world.finish("d", .delivered)
    #expect(world.machine.faults["a"]?.failures == 2)
    #expect(world.machine.faults["a"]?.end == .seconds(5), "its waits grow, the target's do not")
  }

  /// Lets an item fail at each of its turns while others are delivered between them.
  private func fail(
    _ id: String, _ ending: UploadWorld.Ending, hours: Int, in world: inout UploadWorld
  ) {
    world.pump()
    var number = 0
    while world.now < .seconds(hours * 3600), world.parked.isEmpty {
      number += 1
      world.add(.test("other\(number)"))
      for other in world.inFlight { world.finish(other, other == id ? ending : .delivered) }
      world.advance(to: world.now + .seconds(7))
    }
  }

  @Test(arguments: [UploadWorld.Ending.broken, .forbidden])
  func `an item that breaks the server is parked after repeated proofs`(ending: UploadWorld.Ending)
  {
    var world = UploadWorld(.test(parallel: 1, parkedAfter: 3), items: ["a"])
    fail("a", ending, hours: 10, in: &world)
    #expect(world.parked == ["a"])
    // After each of three failures the target took another item, a quarter of an hour or more
    // apart.
    #expect(world.begun.filter { $0.id == "a" }.count >= 4)
    #expect((1800..<7200).contains(Int(world.now.components.seconds)))
    #expect(world.delivered.count > 3)
    #expect(world.machine.faults.count == 0)
  }

  /// No answer came, or the target spoke of itself.
  @Test(arguments: [UploadWorld.Ending.cut, .busy(nil), .unauthorized])
  func `a failure that is no answer about an item never parks it`(ending: UploadWorld.Ending) {
    var world = UploadWorld(.test(parallel: 1, parkedAfter: 1), items: ["a"])
    fail("a", ending, hours: 3, in: &world)
    #expect(world.parked == [])
    #expect(world.begun.filter { $0.id == "a" }.count > 3)
  }

  @Test func `a forbidden item does not block the others`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b", "c"])
    world.pump()
    world.finish("a", .forbidden)
    #expect(world.advance(to: .seconds(1)) == ["b"])
    #expect(world.finish("b", .delivered) == ["c"])
    #expect(world.failedCount == 0, "it burns no attempt")
    #expect(world.released == ["a"])
    // Wrong credentials fail for all items, and cost no attempt either.
    world.finish("c", .forbidden)
    for _ in 0..<20 {
      world.advance(to: world.waitEnd ?? .zero)
      if world.inFlight == ["a"] { break }
      world.finish(world.inFlight[0], .forbidden)
    }
    #expect(world.failedCount == 0)
  }

  @Test func `a throttled item does not wait a second time for the target`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.finish("a", .busy(.seconds(600)))
    #expect(world.advance(to: .seconds(605)) == ["b"])
    world.finish("b", .delivered)
    #expect(world.advance(to: .seconds(610)) == ["a"])
  }

  @Test func `an item that breaks the server is parked after hours in strict order`() {
    var world = UploadWorld(.test(order: .strict, parkedAfter: 3), items: ["a", "b"])
    world.pump()
    while world.parked.isEmpty, world.now < .seconds(86_400) {
      world.finish("a", .broken)
      world.advance(to: world.waitEnd ?? world.now)
    }
    #expect(world.parked == ["a"])
    #expect((3 * 3600..<3 * 3600 + 1000).contains(Int(world.now.components.seconds)))
    #expect(world.inFlight == ["b"])
    #expect(world.finish("b", .delivered) == [])
  }

  @Test(arguments: [UploadWorld.Ending.cut, .busy(nil), .unauthorized, .forbidden])
  func `an outage parks no item in strict order`(ending: UploadWorld.Ending) {
    var world = UploadWorld(.test(order: .strict, parkedAfter: 1), items: ["a", "b"])
    world.pump()
    while world.parked.isEmpty, world.now < .seconds(86_400) {
      world.finish("a", ending)
      world.advance(to: world.waitEnd ?? world.now)
    }
    #expect(world.parked == [])
  }

  @Test func `several items that break the server do not block the others`() {
    let bad = (0..<5).map { "bad\($0)" }
    var world = UploadWorld(.test(parallel: 2), items: bad + ["good"])
    world.pump()
    for _ in 0..<20 where world.delivered.isEmpty {
      for id in world.inFlight { world.finish(id, id == "good" ? .delivered : .broken) }
      world.advance(to: world.waitEnd ?? world.now)
    }
    #expect(world.delivered == ["good"])
    // There are two at once, four probes with the other bad items, the good item, and two at once
    // again.
    #expect(world.begun.count == 9)
  }

  @Test func `a success resets the failures`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    for _ in 0..<5 {
      world.finish(world.inFlight[0], .broken)
      world.advance(to: world.waitEnd ?? .zero)
    }
    world.finish(world.inFlight[0], .delivered)
    world.advance(to: world.now + .seconds(10))
    #expect(world.end(world.inFlight[0], .broken) == .retried(in: .seconds(1)))
  }

  @Test func `a target that refuses every item gets a pause`() {
    let ids = (0..<100).map { "\($0)" }
    var world = UploadWorld(.test(parallel: 1), items: ids)
    world.pump()
    for _ in 0..<8 { world.finish(world.inFlight[0], .refused) }
    #expect(world.inFlight.isEmpty)
    #expect(world.begun.map(\.id) == Array(ids.prefix(8)))
    guard case .open(let end) = world.machine.breaker.state else {
      Issue.record("the breaker is \(world.machine.breaker.state)")
      return
    }
    #expect(end == .seconds(1))
    #expect(world.machine.breaker.failure?.text.contains("every item") == true)
    // The next item is a probe; when the target takes it, the others go on.
    world.advance(to: .seconds(1))
    #expect(world.inFlight.count == 1)
    world.finish(world.inFlight[0], .delivered)
    #expect(world.machine.breaker.state == .closed)
    #expect(world.inFlight.count == 1)
  }

  @Test func `wrong credentials cost no attempt and are retried every minute`() {
    var world = UploadWorld(items: ["a", "b"])
    world.pump()
    world.finish("a", .unauthorized)
    world.finish("b", .unauthorized)
    for _ in 0..<20 {
      let last = world.now
      world.advance(to: world.waitEnd ?? .zero)
      #expect(world.now - last <= .seconds(60))
      world.finish(world.inFlight[0], .unauthorized)
    }
    #expect(world.begun.dropFirst(2).allSatisfy { $0.id == "a" }, "no item is suspected")
    #expect(world.failedCount == 0)
    #expect(world.released.count == 22)
    world.advance(to: world.waitEnd ?? .zero)
    #expect(world.finish("a", .delivered) == ["b"])
  }

  @Test func `a pause that the target asks for is kept and then cleared`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.end("a", .busy(.seconds(30)))
    world.pump()
    let failure = world.machine.breaker.failure
    #expect(failure?.retryAfter == .seconds(30))
    #expect(world.pauses == failure.map { [TargetPause(remaining: .seconds(35), failure: $0)] })
    world.advance(to: .seconds(35))
    #expect(world.pauses.count == 1)
    world.finish("b", .delivered)
    #expect(world.pauses.count == 2)
    #expect(world.pauses.last == .some(nil))
  }

  @Test func `a short pause and a pause of our own are not kept`() {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.random = 0
    world.pump()
    world.finish("a", .busy(.seconds(9)))
    world.random = 1
    for _ in 0..<6 {
      world.advance(to: world.waitEnd ?? .zero)
      world.finish(world.inFlight[0], .broken)
    }
    #expect(world.machine.breaker.failures == 7)
    #expect(world.pauses.isEmpty)
  }

  @Test func `a kept pause is honored after a restart`() {
    var world = UploadWorld(items: ["a", "b"], startDelay: .zero)
    let failure = DeliveryFailure(
      .throttled, scope: .target, text: "503", status: 503, retryAfter: .seconds(60))
    world.machine.resume(TargetPause(remaining: .seconds(40), failure: failure), at: .zero)
    #expect(world.advance(to: .seconds(39.9)) == [])
    #expect(world.advance(to: .seconds(40)) == ["a"], "and a probe ends it")
    #expect(world.finish("a", .delivered) == ["b"])
    #expect(world.pauses == [nil])
  }

  @Test func `ending the waits ends the kept pause too`() {
    var world = UploadWorld(items: ["a"])
    world.pump()
    world.finish("a", .busy(.seconds(600)))
    #expect(world.pauses.count == 1)
    world.machine.retryNow(at: world.now)
    #expect(world.pump() == ["a"])
    #expect(world.pauses.last == .some(nil))
  }
}
