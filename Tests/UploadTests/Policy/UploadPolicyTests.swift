import Testing

@testable import Upload

/// The policy's rules: parking, order, rates, holds, the start.
@Suite struct UploadPolicyTests {
  /// Lets an item be refused, and other items be delivered between its attempts.
  private func refuse(
    _ id: String, times: Int, in world: inout UploadWorld, isOtherDelivered: Bool
  ) {
    var number = 0
    for _ in 0..<times {
      if isOtherDelivered {
        number += 1
        world.add(.test("other\(number)-\(world.now)"))
      }
      while !world.inFlight.contains(id) {
        world.pump()
        for other in world.inFlight where other != id { world.end(other, .delivered) }
        if !world.inFlight.contains(id) { world.advance(to: world.waitEnd ?? world.now) }
      }
      for other in world.inFlight where other != id { world.end(other, .delivered) }
      world.end(id, .refused)
    }
    world.pump()
  }

  @Test func `a bad item is parked while the target works`() {
    var world = UploadWorld(items: ["bad"])
    refuse("bad", times: 7, in: &world, isOtherDelivered: true)
    #expect(world.parked == [])
    refuse("bad", times: 1, in: &world, isOtherDelivered: true)
    #expect(world.parked == ["bad"])
    #expect(world.machine.faults.count == 0)
  }

  @Test func `no item is parked without a proof that the target works`() {
    var world = UploadWorld(items: ["bad"])
    refuse("bad", times: 20, in: &world, isOtherDelivered: false)
    #expect(world.parked == [])
    // The proof is enough for all the failures before it.
    refuse("bad", times: 1, in: &world, isOtherDelivered: true)
    #expect(world.parked == ["bad"])
  }

  @Test func `failures of earlier runs count`() {
    var world = UploadWorld()
    world.add(.test("good"))
    world.add(.test("bad", attempts: 30, itemFailures: 7))
    world.pump()
    world.end("good", .delivered)
    #expect(world.end("bad", .refused) == .parked)
  }

  @Test func `faults of the target park no item`() {
    var world = UploadWorld(.test(parallel: 1, parkedAfter: 1), items: ["a"])
    world.pump()
    for number in 0..<30 {
      world.add(.test("other\(number)"))
      for id in world.inFlight { world.end(id, id == "a" ? .cut : .delivered) }
      world.advance(to: world.now + .seconds(300))
    }
    #expect(world.parked == [])
    #expect(world.delivered.count > 10)
  }

  @Test func `strict order waits for the oldest`() {
    var world = UploadWorld(.test(parallel: 4, order: .strict), items: ["a", "b", "c"])
    #expect(world.pump() == ["a"])
    #expect(world.finish("a", .broken) == [])
    #expect(world.advance(to: .seconds(1)) == ["a"], "the probe may not overtake either")
    #expect(world.finish("a", .refused) == [])
    world.add(.test("d"))
    #expect(world.pump() == [])
    #expect(world.advance(to: .seconds(2)) == ["a"])
    #expect(world.finish("a", .delivered) == ["b"])
    #expect(world.finish("b", .delivered) == ["c"])
  }

  @Test func `strict order continues after a bad item but not after many`() {
    var world = UploadWorld(
      .test(order: .strict, parkedAfter: 3), items: ["a", "b", "c", "d", "e"])
    world.pump()
    for _ in 0..<100 {
      if let id = world.inFlight.first { world.finish(id, .refused) }
      world.advance(to: world.waitEnd ?? world.now)
    }
    #expect(world.parked == ["a", "b", "c"])
    #expect(world.inFlight == ["d"])
    world.finish("d", .delivered)
    #expect(world.inFlight == ["e"])
    for _ in 0..<3 {
      world.finish("e", .refused)
      world.advance(to: world.waitEnd ?? world.now)
    }
    #expect(world.parked == ["a", "b", "c", "e"])
  }

  @Test func `a minute has no more deliveries than allowed`() {
    var world = UploadWorld(
      .test(parallel: 8, perMinute: 6), items: (0..<20).map { "\($0)" })
    world.pump()
    for _ in 0..<12 {
      for id in world.inFlight { world.finish(id, .delivered) }
      world.advance(to: world.waitEnd ?? .zero)
    }
    #expect(world.begun.map(\.instant) == (0..<13).map { .seconds($0 * 10) })
    // A quiet hour saves nothing up.
    world.now += .seconds(3600)
    #expect(world.pump() == ["13"])
    #expect(world.waitEnd == world.now + .seconds(10))
  }

  @Test func `the retries of many bad items are limited`() {
    let ids = (0..<200).map { "\($0)" }
    var world = UploadWorld(.test(parallel: 1), items: ids)
    world.random = 0
    world.pump()
    // Every other item is good, so that the target is not at fault.
    var seconds = 0
    while seconds < 600 {
      for id in world.inFlight {
        world.end(id, (Int(id) ?? 0) % 2 == 1 || id.hasPrefix("new") ? .delivered : .refused)
      }
      seconds += 1
      world.advance(to: .seconds(seconds))
    }
    let attempts = world.begun.filter { (Int($0.id) ?? 1) % 2 == 0 }.count
    // There are 100 first attempts, 35 retries from the full bucket, 7 from 100 successes, and one
    // a minute.
    #expect(attempts <= 100 + 35 + 7 + 10)
    #expect(attempts >= 100 + 35)
    #expect(world.delivered.count == 100)
  }

  @Test(
    arguments: [[.thermalCritical], [.technician], [.thermalCritical, .technician]]
      as [Set<UploadHold>])
  func `holds neither end nor begin deliveries`(holds: Set<UploadHold>) {
    var world = UploadWorld(.test(parallel: 1), items: ["a", "b"])
    world.pump()
    world.machine.setHolds(holds)
    #expect(world.machine.allHolds == holds)
    #expect(world.finish("a", .delivered) == [])
    #expect(world.delivered == ["a"], "its receipt is committed")
    #expect(world.advance(to: .seconds(1000)) == [])
    world.machine.retryNow(at: world.now)
    #expect(world.pump() == [])
    world.machine.setHolds([])
    #expect(world.pump() == ["b"])
  }

  @Test func `a closed window is a hold that ends by itself`() {
    var world = UploadWorld(items: ["a"])
    world.machine.setWindow(closedUntil: .seconds(60))
    #expect(world.pump() == [])
    #expect(world.waitEnd == .seconds(60))
    #expect(world.machine.allHolds == [.window])
    world.machine.setWindow(closedUntil: nil)
    #expect(world.pump() == ["a"])
  }

  @Test func `a backlog of an earlier run begins after the jitter`() {
    var world = UploadWorld(items: ["a", "b"], startDelay: .seconds(1.5))
    #expect(world.pump() == [])
    #expect(world.released == ["a"])
    #expect(world.advance(to: .seconds(1.4)) == [])
    #expect(world.advance(to: .seconds(1.5)) == ["a", "b"])
  }

  @Test func `the first press on a fresh rig uploads at once`() {
    var world = UploadWorld(startDelay: .seconds(1.5))
    world.pump()
    world.now = .seconds(0.1)
    world.add(.test("a"))
    #expect(world.pump() == ["a"])
    #expect(world.released == [])
  }
}
