import Capture
import Devices
import LinuxDevices
import RigConfiguration
import Settings
import Testing

@Suite struct ButtonSectionTests {
  private static let base = """
    rig: { id: rig-1 }
    board: linux
    spool: { directory: /var/lib/platen }
    """

  private func parse(_ extra: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(Self.base + "\n" + extra, file: "platen.yaml")
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

  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let extra: String
    let line: Int
    let key: String
    let fragment: String

    init(_ extra: String, line: Int, key: String, _ fragment: String) {
      testDescription = extra.split(separator: "\n").joined(separator: "|")
      self.extra = extra
      self.line = line
      self.key = key
      self.fragment = fragment
    }
  }

  static let bad: [Bad] = [
    Bad(
      "shutter: { line: A }\nbuttons:\n  b: { line: B, single: shoot }", line: 4, key: "shutter",
      "short form"),
    Bad("buttons: {}", line: 4, key: "buttons", "at least one"),
    Bad("buttons:\n  b: { line: B }", line: 5, key: "buttons.b", "has no gesture"),
    Bad("buttons:\n  b: { single: shoot }", line: 5, key: "buttons.b.line", "missing"),
    Bad("buttons:\n  B c: { line: B, single: shoot }", line: 5, key: "buttons.B c", "a-z"),
    Bad("buttons:\n  b: { line: B, single: fire }", line: 5, key: "buttons.b.single", "shoot"),
    Bad("buttons:\n  b: { line: B, singel: shoot }", line: 5, key: "buttons.b.singel", "single"),
    Bad(
      "buttons:\n  b: { line: B, single: power_off }", line: 5, key: "buttons.b.single",
      "\"hold\" only"),
    Bad(
      "buttons:\n  b: { line: B, hold: power_off }", line: 5, key: "buttons.b.hold",
      "needs a \"power.method\""),
    Bad(
      "buttons:\n  b: { line: B, hold: focus }", line: 5, key: "buttons.b.hold", "use \"long\""),
    Bad(
      "buttons:\n  b: { line: B, single: shoot, double: shoot }", line: 5,
      key: "buttons.b.double", "\"single\" does already"),
    Bad(
      "buttons:\n  a: { line: B, single: shoot }\n  b: { line: B, single: focus }", line: 6,
      key: "buttons.b", "button \"a\""),
    Bad(
      "buttons:\n  b: { line: B, single: shoot }\nindicators: { ready: { line: B } }", line: 5,
      key: "buttons.b", "light \"ready\""),
    Bad(
      "shutter: { line: B }\nindicators: { ready: { line: B } }", line: 4, key: "shutter",
      "light \"ready\""),
    Bad(
      "indicators:\n  ready: { line: B }\n  fault: { line: B }", line: 6, key: "indicators.fault",
      "has the line of the light \"ready\""),
    Bad(
      "indicators:\n  ready: { led: a }\n  fault: { led: a }", line: 6, key: "indicators.fault",
      "has the LED of the light \"ready\""),
    Bad(
      "indicators: { ready: { chip: c, offset: 4 } }\nlamp: { chip: c, offset: 4 }", line: 5,
      key: "lamp", "has the line of the light \"ready\""),
    Bad(
      "lamp: { line: B }\nshutter: { line: B }", line: 5, key: "shutter",
      "has the line of the lamp"),
    Bad(
      "buttons:\n  b: { line: B, single: shoot, long_after: 1 s }", line: 5,
      key: "buttons.b.long_after", "goes with \"long\""),
    Bad(
      "buttons:\n  b: { line: B, long: focus, hold: power_off, long_after: 3 s }", line: 5,
      key: "buttons.b.long_after", "longer than \"long_after\""),
    Bad(
      "buttons:\n  b: { line: B, hold: power_off, stuck_after: 8 s }", line: 5,
      key: "buttons.b.stuck_after", "longer than every gesture"),
    Bad(
      "buttons:\n  b: { line: B, hold: power_off, cancel_within: 40 s }", line: 5,
      key: "buttons.b.cancel_within", "longer than every gesture"),
    Bad(
      "buttons:\n  b: { line: B, double: retake, debounce: 300 ms }", line: 5,
      key: "buttons.b.debounce", "two times"),
    Bad(
      "buttons:\n  b: { line: B, long: focus, debounce: 300 ms }", line: 5,
      key: "buttons.b.debounce", "three times"),
    Bad("shutter: { line: A, double: retake }", line: 4, key: "shutter.double", "unknown"),
    Bad(
      "indicators: { single: { led: a }, fault: { led: b } }", line: 4, key: "indicators.single",
      "one light"),
  ]

  @Test(arguments: bad)
  func `mistakes are refused`(_ example: Bad) throws {
    let error = try #require(throws: ConfigurationErrors.self) { try parse(example.extra) }
    #expect(
      error.issues.contains {
        $0.line == example.line && $0.key == example.key && $0.problem.contains(example.fragment)
      }, "\(error)")
  }
}
