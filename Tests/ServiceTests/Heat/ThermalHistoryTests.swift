import Capture
import Devices
import Testing

@testable import Service

@Suite struct ThermalHistoryTests {
  private func take(
    _ celsius: [String: Double?], _ state: ThermalState = .nominal, flags: ThrottleFlags = [],
    atSecond second: Int64, into history: inout ThermalHistory
  ) {
    var heat = RigMonitor.Heat()
    heat.state = state
    heat.temperatures = celsius.map { RigMonitor.Temperature(zone: $0.key, celsius: $0.value) }
    heat.throttle = ThrottleStatus(now: flags)
    history.take(heat, at: MonotonicInstant(nanoseconds: second * 1_000_000_000))
  }

  @Test func `a sample has the worst of its minute`() {
    var history = ThermalHistory()
    take(["cpu": 48, "case": nil], atSecond: 119, into: &history)
    take(["cpu": 61, "case": 30], .serious, flags: .throttled, atSecond: 120, into: &history)
    take(["cpu": 72, "case": 31], .fair, flags: .undervoltage, atSecond: 150, into: &history)
    take(["cpu": 55, "case": nil], atSecond: 179, into: &history)
    #expect(
      history.samples == [
        ThermalHistory.Sample(
          start: MonotonicInstant(nanoseconds: 60_000_000_000), celsius: ["cpu": 48]),
        ThermalHistory.Sample(
          start: MonotonicInstant(nanoseconds: 120_000_000_000), celsius: ["cpu": 72, "case": 31],
          state: .serious, flags: [.throttled, .undervoltage]),
      ])
  }

  @Test func `a day is kept, also with gaps`() {
    var history = ThermalHistory()
    for minute in Int64(0)..<3000 { take(["cpu": 50], atSecond: minute * 60, into: &history) }
    #expect(history.samples.count == 1440)
    #expect(history.samples.first?.start == MonotonicInstant(nanoseconds: 93_600_000_000_000))
    take(["cpu": 50], atSecond: (2999 + 1000) * 60, into: &history)
    #expect(history.samples.count == 441)
    take(["cpu": 50], atSecond: 10_000 * 60, into: &history)
    #expect(history.samples.count == 1)
  }
}
