import Devices
import Testing

@testable import Capture

@Suite struct ThermalGovernorTests {
  private static func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
  }

  private static func readings(_ celsius: Double...) -> [ThermalReading] {
    celsius.enumerated().map { ThermalReading(zone: "zone\($0.offset)", celsius: $0.element) }
  }

  private func governor(_ zoneLimits: [String: ThermalLimits] = [:]) -> ThermalGovernor {
    ThermalGovernor(configuration: .init(zoneLimits: zoneLimits))
  }

  /// Temperatures that come so far apart that no dwell matters.
  static let histories: [([Double], ThermalState)] = [
    ([50], .nominal), ([60], .fair), ([69.9], .fair), ([70], .serious),
    ([80], .critical), ([80, 77.1], .critical), ([80, 77], .critical), ([80, 76.9], .serious),
    ([80, 66.9], .fair), ([80, 20], .nominal), ([70, 67.5, 69, 66.9], .fair),
    ([60, 57, 56.9], .nominal), ([Double.nan], .nominal), ([75, Double.nan], .serious),
    ([200], .critical), ([-40], .nominal),
  ]

  @Test(arguments: histories)
  func `a state falls only below its hysteresis`(_ temperatures: [Double], _ expected: ThermalState)
  {
    var governor = governor()
    for (index, temperature) in temperatures.enumerated() {
      _ = governor.update(Self.readings(temperature), at: Self.instant(Double(index) * 3600))
    }
    #expect(governor.state == expected)
  }

  /// A course of a temperature: the second, the temperature, and the state then.
  struct Course: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [(second: Double, celsius: Double, state: ThermalState)]
  }

  static let courses: [Course] = [
    Course(
      testDescription: "up at once, through all states",
      steps: [(0, 60, .fair), (1, 70, .serious), (2, 80, .critical)]),
    Course(
      testDescription: "up at once over a state",
      steps: [(0, 50, .nominal), (0.1, 85, .critical)]),
    Course(
      testDescription: "down a dwell after the last change, in one step",
      steps: [(0, 85, .critical), (59.9, 20, .critical), (60, 20, .nominal)]),
    Course(
      testDescription: "the dwell counts from every change, not from the first",
      steps: [(0, 71, .serious), (30, 81, .critical), (60, 20, .critical), (90, 20, .nominal)]),
    Course(
      testDescription: "what has cooled and is hot again has not changed",
      steps: [(0, 71, .serious), (30, 60, .serious), (50, 71, .serious), (70, 60, .fair)]),
    Course(
      testDescription: "up again at once, and the next dwell is twice as long",
      steps: [
        (0, 71, .serious), (60, 60, .fair), (61, 71, .serious), (121, 60, .serious),
        (180.9, 60, .serious), (181, 60, .fair),
      ]),
    Course(
      testDescription: "the dwell is as before once it was calm for that long",
      steps: [
        (0, 71, .serious), (60, 60, .fair), (61, 71, .serious), (181, 60, .fair),
        (302, 71, .serious), (361.9, 60, .serious), (362, 60, .fair),
      ]),
    Course(
      testDescription: "slowly down is a step a dwell",
      steps: [
        (0, 81, .critical), (100, 76, .serious), (110, 66, .serious), (160, 66, .fair),
        (219, 50, .fair), (220, 50, .nominal),
      ]),
  ]

  @Test(arguments: courses)
  func `a state lasts at least its dwell`(_ course: Course) {
    var governor = governor()
    for step in course.steps {
      _ = governor.update(Self.readings(step.celsius), at: Self.instant(step.second))
      #expect(governor.state == step.state, "at \(step.second) s")
    }
  }

  @Test func `the dwell has a maximum length`() {
    var governor = governor()
    var time = 0.0
    for _ in 0..<10 {
      _ = governor.update(Self.readings(75), at: Self.instant(time))
      time += governor.dwell / .seconds(1)
      _ = governor.update(Self.readings(50), at: Self.instant(time))
      #expect(governor.state == .nominal)
      time += 0.2
    }
    #expect(governor.dwell == .seconds(60 * ThermalGovernor.longestDwellFactor))
  }

  @Test func `the hottest zone counts by its own limits and is named`() throws {
    var governor = governor(["disk": ThermalLimits(fair: 40, serious: 50, critical: 55)])
    let cool = governor.update(
      [ThermalReading(zone: "cpu", celsius: 58), ThermalReading(zone: "disk", celsius: 39)],
      at: Self.instant(0))
    #expect(cool.change == nil)
    let readings = [
      ThermalReading(zone: "cpu", celsius: 69), ThermalReading(zone: "disk", celsius: 52),
    ]
    let hot = governor.update(readings, at: Self.instant(1))
    let change = try #require(hot.change)
    #expect(change.from == .nominal)
    #expect(change.to == .serious)
    #expect(change.hottest == readings[1])
    #expect(!change.isFirmwares)
  }

  @Test func `an unreadable zone keeps its state until it is read again`() {
    var governor = governor()
    _ = governor.update(
      [ThermalReading(zone: "a", celsius: 20), ThermalReading(zone: "b", celsius: 85)],
      at: Self.instant(0))
    #expect(governor.state == .critical)
    let nothing = governor.update([], at: Self.instant(7200))
    #expect(nothing.change == nil)
    let other = governor.update(
      [ThermalReading(zone: "a", celsius: 71)], at: Self.instant(7201))
    #expect(other.change == nil, "a hot zone whose sensor died cools nothing")
    let noNumber = governor.update(
      [ThermalReading(zone: "a", celsius: 71), ThermalReading(zone: "b", celsius: .nan)],
      at: Self.instant(7800))
    #expect(noNumber.change == nil)
    let both = governor.update(
      [ThermalReading(zone: "a", celsius: 71), ThermalReading(zone: "b", celsius: 20)],
      at: Self.instant(7801))
    #expect(both.change?.to == .serious)
  }

  /// A module that was pulled out must not stop the rig for ever.
  @Test func `a zone that is gone for good stops counting`() {
    var governor = governor()
    _ = governor.update(
      [ThermalReading(zone: "a", celsius: 20), ThermalReading(zone: "b", celsius: 85)],
      at: Self.instant(0))
    let rest = [ThermalReading(zone: "a", celsius: 20)]
    #expect(governor.update(rest, at: Self.instant(100)).change == nil)
    #expect(governor.update(rest, at: Self.instant(699)).change == nil)
    #expect(governor.update(rest, at: Self.instant(700)).change?.to == .nominal)
  }

  @Test func `a zone that has never been read does not count`() {
    var governor = governor()
    for second in 0..<3 {
      let update = governor.update(
        [ThermalReading(zone: "a", celsius: 50), ThermalReading(zone: "b", celsius: .nan)],
        at: Self.instant(Double(second)))
      #expect(update.change == nil)
    }
    #expect(governor.state == .nominal)
  }

  static let flags: [(ThrottleFlags, ThermalState)] = [
    ([], .nominal), (.throttled, .serious), (.softTemperatureLimit, .serious),
    (.undervoltage, .nominal), (.frequencyCapped, .nominal),
    ([.undervoltage, .throttled], .serious),
  ]

  @Test(arguments: flags)
  func `the firmware demands the state serious`(_ flags: ThrottleFlags, _ expected: ThermalState)
    throws
  {
    var governor = governor()
    let update = governor.update(Self.readings(50), flags: flags, at: Self.instant(0))
    #expect(governor.state == expected)
    #expect(update.change?.isFirmwares ?? true)
    #expect(update.change?.flags ?? flags == flags)
    _ = governor.update(Self.readings(85), flags: flags, at: Self.instant(1))
    #expect(governor.state == .critical, "the firmware does not keep the state down")
    _ = governor.update(Self.readings(50), flags: flags, at: Self.instant(100))
    #expect(governor.state == expected)
    let blind = governor.update([], at: Self.instant(1000))
    #expect(governor.state == .nominal, "\(blind)")
  }

  @Test func `the firmware counts without any zone`() {
    var governor = governor()
    _ = governor.update([], flags: .throttled, at: Self.instant(0))
    #expect(governor.state == .serious)
    _ = governor.update([], at: Self.instant(60))
    #expect(governor.state == .nominal)
  }

  /// Seconds and temperatures, and the second at which the rig must be powered off.
  static let ends: [([(second: Double, celsius: Double?)], Double?)] = [
    ([(0, 90), (9.9, 91)], nil), ([(0, 90), (10, 90)], 10),
    ([(0, 90), (5, 86.9), (6, 90), (11, 90)], nil),
    ([(0, 90), (5, 88), (10, 88)], 10), ([(0, 89.9), (100, 89.9)], nil),
    ([(0, 95), (5, nil), (10, nil), (11, 95)], 11),
  ]

  @Test(arguments: ends)
  func `the hard limit powers off after its delay`(
    _ course: [(second: Double, celsius: Double?)], _ end: Double?
  ) {
    var governor = governor()
    var due: Double?
    for step in course {
      let readings = step.celsius.map { Self.readings($0) } ?? []
      let update = governor.update(readings, at: Self.instant(step.second))
      if update.shutdown != nil { due = due ?? step.second }
    }
    #expect(due == end)
  }

  @Test func `a zone without a hard limit never ends the rig`() {
    var governor = governor(["zone0": ThermalLimits(fair: 60, serious: 70, critical: 80)])
    var updates: [ThermalGovernor.Update] = []
    for second in 0..<100 {
      updates.append(governor.update(Self.readings(200), at: Self.instant(Double(second))))
    }
    #expect(updates.allSatisfy { $0.shutdown == nil })
    #expect(governor.state == .critical)
  }
}
