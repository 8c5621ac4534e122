import TestSupport
import Testing

@testable import Upload

/// Random worlds, each with a seed, in which the promises of the policy hold.
///
/// ``UploadWorld`` checks at each step that no item runs twice at once, and that no more items run
/// than may. It also checks that there is one probe at most, and that strict order is kept.
@Suite struct UploadPropertyTests {
  private struct Life {
    var world: UploadWorld
    var random: SeededGenerator
    /// The instants at which the running deliveries end.
    var ends: [String: Duration] = [:]
    /// The time in which holds let no delivery begin.
    var heldTime: Duration = .zero

    /// Moves the clock to the next event, but no further than to an instant.
    mutating func step(
      until limit: Duration,
      _ ending: (String, Duration, inout SeededGenerator) -> UploadWorld.Ending
    ) {
      world.random = .random(in: 0...1, using: &random)
      for id in world.pump() { begin(id) }
      for id in ends.keys where !world.inFlight.contains(id) { ends[id] = nil }
      let next = ends.min { ($0.value, $0.key) < ($1.value, $1.key) }
      let instant = min(next?.value ?? limit, world.waitEnd ?? limit, limit)
      if !world.machine.allHolds.isEmpty { heldTime += max(.zero, instant - world.now) }
      world.now = max(world.now, instant)
      if let next, next.value <= world.now {
        ends[next.key] = nil
        world.end(next.key, ending(next.key, world.now, &random))
      }
    }

    private mutating func begin(_ id: String) {
      ends[id] = world.now + .milliseconds(Int.random(in: 1...3000, using: &random))
    }
  }

  private static let targetFailures: [UploadWorld.Ending] = [
    .broken, .busy(), .busy(.seconds(3)), .busy(.seconds(20)), .busy(.seconds(-5)), .unauthorized,
    .failed(DeliveryFailure(.unreachable, scope: .target, text: "reset")),
    .failed(DeliveryFailure(.timedOut, scope: .target, text: "silence")),
    .failed(DeliveryFailure(.queueFailed, scope: .target, text: "full")),
    .failed(DeliveryFailure(.shortOfResources, scope: .target, text: "EMFILE")),
    .failed(DeliveryFailure(.cancelled, scope: .target, text: "cancelled")),
  ]
  private static let failures: [UploadWorld.Ending] =
    targetFailures + [
      .refused, .failed(DeliveryFailure(.conflict, scope: .item, text: "409", status: 409)),
      .failed(DeliveryFailure(.fileUnreadable, scope: .item, text: "EIO")),
    ]

  private func life(_ random: SeededGenerator, order: UploadPolicy.Order) -> Life {
    var random = random
    let policy = UploadPolicy.test(
      parallel: .random(in: UploadPolicy.parallelRange, using: &random), order: order,
      parkedAfter: .random(in: 1...8, using: &random),
      perMinute: Bool.random(using: &random) ? .random(in: 10...600, using: &random) : nil)
    let world = UploadWorld(
      policy, items: (0..<Int.random(in: 1...12, using: &random)).map { "item\($0)" },
      startDelay: Bool.random(using: &random) ? .seconds(2) : .zero)
    return Life(world: world, random: random)
  }

  @Test(arguments: [UploadPolicy.Order.oldestFirst, .strict])
  func `every good item is delivered once and no item is lost`(order: UploadPolicy.Order) {
    let seed = TestSeed.value
    var seeds = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      var life = life(SeededGenerator(seed: seeds.next()), order: order)
      // Some items are poison, by their own fault or by breaking the server.
      var poison: [String: UploadWorld.Ending] = [:]
      for id in life.world.waiting.map(\.id) where Int.random(in: 0..<4, using: &seeds) == 0 {
        // In strict order the items must be parkable, and too few to wait for a person.
        guard order == .oldestFirst || poison.count < 3 else { continue }
        poison[id] = order == .strict || Bool.random(using: &seeds) ? .refused : .broken
      }
      let count = life.world.waiting.count
      let good = Set(life.world.waiting.map(\.id)).subtracting(poison.keys)
      let downUntil = Duration.seconds(Int.random(in: 0...600, using: &seeds))
      var steps = 0
      // An item that was refused often enough is parked, and waits for a person.
      while !good.isSubset(of: life.world.delivered + life.world.parked), steps < 20_000 {
        steps += 1
        if Int.random(in: 0..<40, using: &seeds) == 0 { disturb(&life, &seeds) }
        // A server that is down may refuse a delivery sooner than the queue names the next one.
        let isHasty = life.world.now < downUntil && Int.random(in: 0..<4, using: &seeds) == 0
        life.world.endingDuringFetch = isHasty ? .cut : nil
        life.step(until: life.world.now + .seconds(30)) { id, now, random in
          if let ending = poison[id] { return ending }
          guard now < downUntil, Bool.random(using: &random) else { return .delivered }
          let failures = order == .strict ? Self.targetFailures : Self.failures
          return failures.randomElement(using: &random) ?? .broken
        }
      }
      let world = life.world
      #expect(steps < 20_000, "no end, seed \(seed)")
      #expect(Set(world.delivered).count == world.delivered.count, "seed \(seed)")
      #expect(Set(world.delivered).isDisjoint(with: world.parked), "seed \(seed)")
      let isWhole = Set(world.delivered + world.parked + world.waiting.map(\.id)).count == count
      #expect(isWhole, "an item is lost, seed \(seed)")
      #expect(world.now < downUntil + life.heldTime + .seconds(3 * 3600), "seed \(seed)")
    }
  }

  /// Lets the queue fail, holds change, or all waits end.
  private func disturb(_ life: inout Life, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: life.world.queueFaults = .random(in: 1...3, using: &random)
    case 1: life.world.machine.setHolds([.technician])
    case 2: life.world.machine.retryNow(at: life.world.now)
    default: life.world.machine.arrived()
    }
    // A hold that stays would be no fault of the machine.
    if Bool.random(using: &random) { life.world.machine.setHolds([]) }
  }

  @Test(arguments: UploadPolicy.parallelRange)
  func `a target that is always busy gets a request a second at most`(parallel: Int) {
    let seed = TestSeed.value
    let random = SeededGenerator(seed: seed)
    for hint in [nil, 0, -7, 1] as [Int?] {
      var life = Life(
        world: UploadWorld(.test(parallel: parallel), items: (0..<50).map { "\($0)" }),
        random: random)
      while life.world.now < .seconds(7200) {
        life.step(until: .seconds(7200)) { _, _, _ in .busy(hint.map { .seconds($0) }) }
      }
      let instants = life.world.begun.map(\.instant)
      // The requests are those that ran when the first answer came, and then one after another.
      let later = instants.dropFirst(parallel)
      for (one, next) in zip(later, later.dropFirst()) {
        #expect(next - one >= .seconds(1), "seed \(seed)")
      }
      #expect(instants.count <= parallel + 120, "seed \(seed)")
      #expect(instants.count >= 7200 / 305, "it is tried for ever, seed \(seed)")
    }
  }

  @Test(arguments: [30, 3600, 86_400, 999_999_999])
  func `a requested pause is honored up to an hour`(seconds: Int) {
    let seed = TestSeed.value
    let random = SeededGenerator(seed: seed)
    var life = Life(
      world: UploadWorld(.test(parallel: 2), items: ["a", "b", "c"]), random: random)
    while life.world.now < .seconds(100_000) {
      life.step(until: .seconds(100_000)) { _, _, _ in .busy(.seconds(seconds)) }
    }
    let instants = life.world.begun.map(\.instant).dropFirst(2)
    for (one, next) in zip(instants, instants.dropFirst()) {
      #expect(next - one >= .seconds(min(seconds, 3600)), "seed \(seed)")
      // The answer takes 3 seconds at most, and the jitter 5.
      #expect(next - one <= .seconds(max(300, min(seconds, 3600)) + 8), "seed \(seed)")
    }
    #expect(instants.count > 10)
  }

  @Test func `a target that refuses all items is not kept busy`() {
    let seed = TestSeed.value
    var life = Life(
      world: UploadWorld(.test(parallel: 4), items: (0..<500).map { "\($0)" }),
      random: SeededGenerator(seed: seed))
    while life.world.now < .seconds(7200) {
      life.step(until: .seconds(7200)) { _, _, _ in .refused }
    }
    #expect(life.world.begun.count <= 12 + 120, "seed \(seed)")
    #expect(life.world.parked.isEmpty, "seed \(seed)")
  }
}
