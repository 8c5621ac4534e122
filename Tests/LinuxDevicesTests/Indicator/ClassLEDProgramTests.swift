import Devices
import Foundation
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
  func `a pattern becomes a program that the kernel can play`(
    pattern: IndicatorPattern, maximum: Int, program: ClassLEDProgram
  ) {
    #expect(ClassLEDProgram(pattern, maximum: maximum) == program)
  }

  @Test(arguments: [(0.0, 0), (-1, 0), (0.001, 1), (0.5, 50), (1, 100), (7, 100)])
  func `a level above zero is never dark`(level: Double, brightness: Int) {
    #expect(ClassLEDProgram.brightness(level, maximum: 100) == brightness)
  }

  /// Debian and Raspberry Pi OS build the triggers as modules, which no other part loads.
  @Test(arguments: [
    IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(200)), .flashes(3),
  ])
  func `the module of a pattern's trigger is loaded at the start`(_ pattern: IndicatorPattern)
    throws
  {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../systemd/platen.modules-load.conf")
    let modules = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let trigger = ClassLEDProgram(pattern, maximum: 255).trigger
    #expect(trigger != "none")
    #expect(modules.contains("ledtrig-\(trigger)"))
    let limited = ClassLEDProgram(pattern, maximum: 255, lifetime: .seconds(3)).trigger
    #expect(modules.contains("ledtrig-\(limited)"))
  }

  @Test func `no step is shorter than the kernel's millisecond`() {
    let program = ClassLEDProgram(.blink(on: .zero, off: .microseconds(20)), maximum: 1)
    #expect(program == .timer(brightness: 1, on: 1, off: 1))
  }

  @Test(arguments: [
    // A steady light is one long step and a dark end.
    (
      IndicatorPattern.on, 255, 3000.0,
      ClassLEDProgram.limited("255 3000 255 0 0 1 0 0", repetitions: 1)
    ),
    // Whole repetitions that last at least as long, and the end is dark already.
    (
      .blink(on: .milliseconds(60), off: .milliseconds(60)), 1, 3160,
      .limited("1 60 1 0 0 60 0 0", repetitions: 27)
    ),
    // A pattern that ends lit is made dark.
    (
      IndicatorPattern(steps: [
        .init(level: 0, duration: .milliseconds(50)), .init(level: 1, duration: .milliseconds(50)),
      ]), 1, 100, .limited("0 50 0 0 1 50 1 0 0 1 0 0", repetitions: 1)
    ),
    (.off, 255, 3000, .steady(0)),
  ])
  func `the kernel keeps a lifetime`(
    pattern: IndicatorPattern, maximum: Int, milliseconds: Double, program: ClassLEDProgram
  ) {
    let made = ClassLEDProgram(pattern, maximum: maximum, lifetime: .milliseconds(milliseconds))
    #expect(made == program)
    if case .limited(_, let repetitions) = program {
      #expect(made.refresh?.name == "repeat")
      #expect(made.refresh?.value == "\(repetitions)")
      #expect(made.triggerAttributes.map(\.name) == ["repeat", "pattern"])
    } else {
      #expect(made.refresh == nil)
    }
  }

  /// The kernel takes 1024 pairs (`MAX_PATTERNS`), and an attribute's page less its end.
  @Test func `the longest code fits`() {
    var steps: [IndicatorPattern.Step] = []
    for _ in 0..<18 {
      steps.append(.init(level: 1, duration: .milliseconds(200)))
      steps.append(.init(level: 0, duration: .milliseconds(2000)))
    }
    let program = ClassLEDProgram(
      IndicatorPattern(steps: steps), maximum: 65535, lifetime: .seconds(60))
    guard case .limited(let text, _) = program else {
      Issue.record("\(program)")
      return
    }
    #expect(text.split(separator: " ").count / 2 <= 1024)
    #expect(text.utf8.count < 4096)
  }
}
