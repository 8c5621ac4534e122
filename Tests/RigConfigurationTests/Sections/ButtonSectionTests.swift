import Capture
import Devices
import LinuxDevices
import RigConfiguration
import Settings
import Testing

@Suite struct ButtonSectionTests {
  private func parse(_ extra: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(afterMinimum: extra)
  }

  @Test func `every key of the section is read`() throws {
    let configuration = try parse(
      """
      power: { method: logind }
      buttons:
        shutter:
          line: SHUTTER
          bias: as-is
          active_low: false
          debounce: 20 ms
          shortest_press: 2 ms
          single: shoot
          double: retake
          long: focus
          hold: power_off
          double_within: 350 ms
          long_after: 700 ms
          hold_after: 4 s
          cancel_within: 6 s
          stuck_after: 20 s
        pedal: { chip: pinctrl-bcm2835, offset: 27, single: shoot }
        extra-1: { line: EXTRA, single: pause_uploads, long: switch_camera }
      """)
    #expect(configuration.power.method == .logind)
    #expect(configuration.buttons.map(\.name) == ["shutter", "pedal", "extra-1"])
    let shutter = configuration.buttons[0]
    #expect(shutter.bias == .asIs)
    #expect(!shutter.isActiveLow)
    #expect(shutter.button.shortestPress == .milliseconds(2))
    #expect(configuration.buttons[1].button.shortestPress == .milliseconds(5))
    #expect(
      shutter.actions == [.single: .shoot, .double: .retake, .long: .focus, .hold: .powerOff])
    var gestures = GestureSettings(bound: Set(Gesture.allCases))
    gestures.doubleWithin = .milliseconds(350)
    gestures.longAfter = .milliseconds(700)
    gestures.holdAfter = .seconds(4)
    gestures.cancelWithin = .seconds(6)
    gestures.stuckAfter = .seconds(20)
    #expect(shutter.button.gestures == gestures)
    #expect(configuration.buttons[1].line == .offset(27, chip: "pinctrl-bcm2835"))
    #expect(configuration.buttons[1].button.gestures.bound == [.single])
    #expect(configuration.buttons[2].actions == [.single: .pauseUploads, .long: .switchCamera])
  }

  @Test func `a single light can be configured alone`() throws {
    let configuration = try parse("indicators: { single: { led: \"ACT\" } }")
    #expect(configuration.indicators == [.single: .led("ACT")])
  }

  static let bad = [
    Mistake(
      "shutter: { line: A }\nbuttons:\n  b: { line: B, single: shoot }", 4, "shutter",
      "short form"),
    Mistake("buttons: {}", 4, "buttons", "at least one"),
    Mistake("buttons:\n  b: { line: B }", 5, "buttons.b", "has no gesture"),
    Mistake("buttons:\n  b: { single: shoot }", 5, "buttons.b.line", "missing"),
    Mistake("buttons:\n  B c: { line: B, single: shoot }", 5, "buttons.B c", "a-z"),
    Mistake("buttons:\n  b: { line: B, single: fire }", 5, "buttons.b.single", "shoot"),
    Mistake("buttons:\n  b: { line: B, singel: shoot }", 5, "buttons.b.singel", "single"),
    Mistake(
      "buttons:\n  b: { line: B, single: power_off }", 5, "buttons.b.single", "\"hold\" only"),
    Mistake(
      "buttons:\n  b: { line: B, hold: power_off }", 5, "buttons.b.hold",
      "needs a \"power.method\""),
    Mistake("buttons:\n  b: { line: B, hold: focus }", 5, "buttons.b.hold", "use \"long\""),
    Mistake(
      "buttons:\n  b: { line: B, single: shoot, double: shoot }", 5, "buttons.b.double",
      "\"single\" does already"),
    Mistake(
      "buttons:\n  a: { line: B, single: shoot }\n  b: { line: B, single: focus }", 6, "buttons.b",
      "button \"a\""),
    Mistake(
      "buttons:\n  b: { line: B, single: shoot }\nindicators: { ready: { line: B } }", 5,
      "buttons.b", "light \"ready\""),
    Mistake(
      "shutter: { line: B }\nindicators: { ready: { line: B } }", 4, "shutter", "light \"ready\""),
    Mistake(
      "indicators:\n  ready: { line: B }\n  fault: { line: B }", 6, "indicators.fault",
      "has the line of the light \"ready\""),
    Mistake(
      "indicators:\n  ready: { led: a }\n  fault: { led: a }", 6, "indicators.fault",
      "has the LED of the light \"ready\""),
    Mistake(
      "indicators: { ready: { chip: c, offset: 4 } }\nlamp: { chip: c, offset: 4 }", 5, "lamp",
      "has the line of the light \"ready\""),
    Mistake("lamp: { line: B }\nshutter: { line: B }", 5, "shutter", "has the line of the lamp"),
    Mistake(
      "buttons:\n  b: { line: B, single: shoot, long_after: 1 s }", 5, "buttons.b.long_after",
      "goes with \"long\""),
    Mistake(
      "buttons:\n  b: { line: B, long: focus, hold: power_off, long_after: 3 s }", 5,
      "buttons.b.long_after", "longer than \"long_after\""),
    Mistake(
      "buttons:\n  b: { line: B, hold: power_off, stuck_after: 8 s }", 5, "buttons.b.stuck_after",
      "longer than every gesture"),
    Mistake(
      "buttons:\n  b: { line: B, hold: power_off, cancel_within: 40 s }", 5,
      "buttons.b.cancel_within", "longer than every gesture"),
    Mistake(
      "buttons:\n  b: { line: B, double: retake, debounce: 300 ms }", 5, "buttons.b.debounce",
      "two times"),
    Mistake(
      "buttons:\n  b: { line: B, long: focus, debounce: 300 ms }", 5, "buttons.b.debounce",
      "three times"),
    Mistake("shutter: { line: A, double: retake }", 4, "shutter.double", "unknown"),
    Mistake(
      "indicators: { single: { led: a }, fault: { led: b } }", 4, "indicators.single", "one light"),
  ]

  @Test(arguments: bad)
  func `mistakes are refused`(_ example: Mistake) throws {
    let error = try #require(throws: ConfigurationErrors.self) { try parse(example.text) }
    #expect(
      error.issues.contains {
        $0.line == example.line && $0.key == example.key && $0.problem.contains(example.fragment)
      }, "\(error)")
  }
}
