import Devices
import Testing

@testable import LinuxDevices

@Suite struct PatternScheduleTests {
  private func instant(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  @Test func aSteadyLightNeverEnds() {
    var schedule = PatternSchedule(.on, start: instant(0))
    let step = schedule.step(at: instant(99))
    #expect(step.level == 1)
    #expect(step.until == nil)
  }

  @Test(arguments: [
    (0, 1.0, 100), (99, 1, 100), (100, 0, 300), (299, 0, 300), (300, 1, 400),
    (1_000_050, 0, 1_000_200),
  ])
  func eachInstantHasItsStep(at: Int, level: Double, until: Int) {
    var schedule = PatternSchedule(
      .blink(on: .milliseconds(100), off: .milliseconds(200)), start: instant(0))
    let step = schedule.step(at: instant(at))
    #expect(step.level == level)
    #expect(step.until == instant(until))
  }

  @Test func beingLateDoesNotMoveTheGrid() {
    var schedule = PatternSchedule(
      .blink(on: .milliseconds(10), off: .milliseconds(10)), start: instant(0))
    var now = 0
    for _ in 0..<1000 {
      guard let until = schedule.step(at: instant(now)).until else { return }
      #expect(until.nanoseconds % 10_000_000 == 0)
      now = Int(until.nanoseconds / 1_000_000) + 7
    }
  }

  @Test func stepsOfNoLengthStillMoveOn() {
    var schedule = PatternSchedule(.blink(on: .zero, off: .zero), start: instant(0))
    let firstStep = schedule.step(at: instant(0))
    #expect(firstStep.until == instant(1))
    let secondStep = schedule.step(at: instant(1))
    #expect(secondStep.level == 0)
  }
}
