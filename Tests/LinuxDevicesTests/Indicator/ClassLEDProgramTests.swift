import Devices
import Testing

@testable import LinuxDevices

@Suite struct ClassLEDProgramTests {
  @Test(arguments: [
    (IndicatorPattern.off, 255, ClassLEDProgram.steady(0)),
    (.on, 255, .steady(255)),
    (.on, 1, .steady(1)),
    (
      IndicatorPattern(steps: [.init(level: 0.5, duration: .zero)]), 255, .steady(128)
    ),
    (
      .blink(on: .milliseconds(100), off: .milliseconds(200)), 255,
      .timer(brightness: 255, on: 100, off: 200)
    ),
    (
      IndicatorPattern(steps: [
        .init(level: 0, duration: .milliseconds(900)), .init(level: 1, duration: .milliseconds(50)),
      ]), 1, .timer(brightness: 1, on: 50, off: 900)
    ),
    (
      IndicatorPattern(steps: [
        .init(level: 1, duration: .milliseconds(10)), .init(level: 1, duration: .milliseconds(20)),
      ]), 7, .steady(7)
    ),
    (
      .flashes(2), 1,
      .pattern("1 150 1 0 0 250 0 0 1 150 1 0 0 1500 0 0")
    ),
    (
      IndicatorPattern(steps: [
        .init(level: 1, duration: .milliseconds(10)),
        .init(level: 0.2, duration: .milliseconds(20)),
      ]), 255, .pattern("255 10 255 0 51 20 51 0")
    ),
  ])
  func aPatternBecomesWhatTheKernelCanDo(
    pattern: IndicatorPattern, maximum: Int, program: ClassLEDProgram
  ) {
    #expect(ClassLEDProgram(pattern, maximum: maximum) == program)
  }

  @Test(arguments: [(0.0, 0), (-1, 0), (0.001, 1), (0.5, 50), (1, 100), (7, 100)])
  func aLevelAboveZeroIsNeverDark(level: Double, brightness: Int) {
    #expect(ClassLEDProgram.brightness(level, maximum: 100) == brightness)
  }

  @Test func noStepIsShorterThanTheKernelsMillisecond() {
    let program = ClassLEDProgram(.blink(on: .zero, off: .microseconds(20)), maximum: 1)
    #expect(program == .timer(brightness: 1, on: 1, off: 1))
  }
}
