import Devices
import TestSupport
import Testing

@testable import Capture

/// Properties of every course of temperatures; each case names its seed when it fails.
@Suite struct ThermalGovernorPropertyTests {
  private static let configuration = ThermalGovernor.Configuration(
    zoneLimits: ["disk": ThermalLimits(fair: 40, serious: 50, critical: 55, shutdown: 70)])

  private struct Change {
    var time: MonotonicInstant
    var isDown: Bool
  }

  /// Zones that wander, swing around their limits, jump, and are unreadable for a while.
  private struct Course {
    var random: SeededGenerator
    var temperatures = ["cpu": 50.0, "disk": 30.0]
    var isLost: Set<String> = []
    var flags: ThrottleFlags = []

    mutating func step() -> [ThermalReading] {
      for (zone, limits) in [("cpu", [60.0, 70, 80, 90]), ("disk", [40.0, 50, 55, 70])] {
        let now = temperatures[zone] ?? 0
        switch Int.random(in: 0..<40, using: &random) {
        case 0: temperatures[zone] = Double.random(in: 0...110, using: &random)
        case 1...12:
          // Swings around a limit are what makes a governor flap.
          let limit = limits.randomElement(using: &random) ?? 70
          temperatures[zone] = limit + Double.random(in: -4...4, using: &random)
        case 13: isLost.formSymmetricDifference([zone])
        default: temperatures[zone] = now + Double.random(in: -2...2, using: &random)
        }
      }
      if Int.random(in: 0..<30, using: &random) == 0 {
        flags = ThrottleFlags(rawValue: UInt32.random(in: 0..<16, using: &random))
      }
      return temperatures.filter { !isLost.contains($0.key) }
        .map { ThermalReading(zone: $0.key, celsius: $0.value) }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the state is never too cool, never flaps and always ends`(seed: UInt64) {
    var course = Course(random: SeededGenerator(seed: seed))
    var governor = ThermalGovernor(configuration: Self.configuration)
    var changes: [Change] = []
    var now = MonotonicInstant(nanoseconds: 0)
    // An unreadable zone is as hot as it was.
    var known: [String: Double] = [:]
    for _ in 0..<2000 {
      let readings = course.step()
      for reading in readings { known[reading.zone] = reading.celsius }
      let before = governor.state
      let update = governor.update(readings, flags: course.flags, at: now)
      let demanded = known.map { zone, celsius in
        Self.configuration.limits(of: zone).state(at: celsius)
      }
      #expect(governor.state >= demanded.max() ?? .nominal, "seed \(seed): too cool")
      if !course.flags.isDisjoint(with: [.throttled, .softTemperatureLimit]) {
        #expect(governor.state >= .serious, "seed \(seed): the firmware was not heard")
      }
      #expect((update.change == nil) == (governor.state == before), "seed \(seed)")
      if let change = update.change {
        #expect(change.from == before && change.to == governor.state, "seed \(seed)")
        changes.append(Change(time: now, isDown: change.to < change.from))
      }
      now = now.advanced(by: .milliseconds(Int.random(in: 100...3000, using: &course.random)))
    }
    for (earlier, later) in zip(changes, changes.dropFirst()) where later.isDown {
      #expect(
        earlier.time.duration(to: later.time) >= .seconds(60),
        "seed \(seed): a step down within a dwell of another change")
    }
    for (index, first) in changes.enumerated() {
      let within = changes[index...].prefix { first.time.duration(to: $0.time) < .seconds(60) }
      let turns = zip(within, within.dropFirst()).filter { $0.isDown != $1.isDown }.count
      #expect(turns <= 1, "seed \(seed): \(turns) changes of direction within a minute")
      #expect(within.count <= 4, "seed \(seed): \(within.count) changes within a minute")
    }
    // A cooled rig is at rest within the longest dwell after any course.
    let cool = [
      ThermalReading(zone: "cpu", celsius: 20), ThermalReading(zone: "disk", celsius: 20),
    ]
    let longest = Self.configuration.dwell * ThermalGovernor.longestDwellFactor
    for instant in [now, now.advanced(by: longest)] { _ = governor.update(cool, at: instant) }
    #expect(governor.state == .nominal, "seed \(seed): it did not end")
  }

  /// The worst course of a temperature: back over the limit as soon as the state has fallen.
  @Test(arguments: [0.5, 1, 5, 59, 61, 300])
  func `a swing that follows the state changes it ever more rarely`(period: Double) {
    var governor = ThermalGovernor(configuration: Self.configuration)
    var changes: [Double] = []
    var fellAt = -Double.infinity
    for tick in 0..<72_000 {
      let second = Double(tick) / 2
      let isHot = governor.state < .serious && second - fellAt >= period
      let update = governor.update(
        [ThermalReading(zone: "cpu", celsius: isHot ? 71 : 66)],
        at: MonotonicInstant(nanoseconds: Int64(tick) * 500_000_000))
      if let change = update.change {
        changes.append(second)
        if change.to < change.from { fellAt = second }
      }
    }
    // Ten hours: without doubling there would be a pair in each minute.
    let limit = period < 60 ? 2 * (5 + 36_000 / (60 * 16)) : 2 * 36_000 / (60 + period)
    #expect(Double(changes.count) <= Double(limit) + 2, "\(changes.count) changes")
    #expect(changes.count >= 4)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `noise smaller than the hysteresis causes no step back`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var governor = ThermalGovernor(configuration: Self.configuration)
    var changes = 0
    for step in 0..<2000 {
      let temperature = 50 + Double(step) / 50 + Double.random(in: -1.4...1.4, using: &random)
      let update = governor.update(
        [ThermalReading(zone: "cpu", celsius: temperature)],
        at: MonotonicInstant(nanoseconds: Int64(step) * 1_000_000_000_000))
      if update.change != nil { changes += 1 }
    }
    #expect(changes == 3, "seed \(seed)")
  }

  /// The hard limit ends the rig after the delay at it and never sooner.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `only a lasting hard limit ends the rig`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var governor = ThermalGovernor(configuration: Self.configuration)
    var since: Double?
    var isBeyond = false
    for tick in 0..<1000 {
      let second = Double(tick)
      let celsius = Double.random(in: 84...94, using: &random) + (tick % 200 < 30 ? 4 : -3)
      let update = governor.update(
        [ThermalReading(zone: "cpu", celsius: celsius)],
        at: MonotonicInstant(nanoseconds: Int64(tick) * 1_000_000_000))
      if celsius < 87 {
        isBeyond = false
      } else if celsius >= 90, !isBeyond {
        isBeyond = true
        since = second
      }
      let isDue = isBeyond && second - (since ?? second) >= 10
      #expect((update.shutdown != nil) == isDue, "seed \(seed), second \(tick)")
    }
  }
}
