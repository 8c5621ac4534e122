import Devices
import TestSupport
import Testing

@testable import LinuxDevices

@Suite struct PatternScheduleTests {
  /// Begins steps at instants and returns `level until-milliseconds` of each.
  private func play(_ pattern: IndicatorPattern, at instants: [Int]) -> [String] {
    var schedule = PatternSchedule(pattern, start: instant(0))
    return instants.map { milliseconds in
      let step = schedule.begin(at: instant(milliseconds))
      return "\(Int(step.level)) \(step.until.map { "\($0.nanoseconds / 1_000_000)" } ?? "ever")"
    }
  }

  @Test func `a steady light never ends`() {
    #expect(play(.on, at: [0, 99]) == ["1 ever", "1 ever"])
    #expect(play(.off, at: [0]) == ["0 ever"])
  }

  @Test func `steps follow each other and repeat`() {
    let pattern = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(200))
    #expect(play(pattern, at: [0, 100, 300, 400]) == ["1 100", "0 300", "1 400", "0 600"])
  }

  @Test func `a small delay does not move the grid`() {
    let pattern = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(200))
    #expect(play(pattern, at: [0, 149, 340, 410]) == ["1 100", "0 300", "1 400", "0 600"])
  }

  @Test func `no flash is skipped after any delay`() {
    let pattern = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(200))
    #expect(play(pattern, at: [0, 1000, 1200, 1300]) == ["1 100", "0 1200", "1 1300", "0 1500"])
  }

  @Test func `steps without a length still move on`() {
    #expect(play(.blink(on: .zero, off: .zero), at: [0, 1, 2]) == ["1 1", "0 2", "1 3"])
  }
}
