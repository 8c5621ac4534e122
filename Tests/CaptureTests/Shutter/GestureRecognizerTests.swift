import Capture
import Devices
import TestSupport
import Testing

@Suite struct GestureRecognizerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bound: Set<Gesture>
    /// `d` down, `u` up, `t` only time, `c` canceled by another button, with milliseconds.
    let script: String
    let events: String

    init(_ name: String, _ bound: Set<Gesture>, _ script: String, _ events: String) {
      testDescription = name
      self.bound = bound
      self.script = script
      self.events = events
    }
  }

  static let short: [Case] = [
    Case("alone: at the push", [.single], "d10", "single@10"),
    Case("alone: one for each push", [.single], "d10 u90 d200 u300", "single@10 single@200"),
    Case("alone: however long", [.single], "d10 t9000 u9001", "single@10"),
    Case(
      "with double: when the window has passed", [.single, .double], "d10 u90 t409 t410",
      "anticipated@10 single@10"),
    Case(
      "with double: also while it is held", [.single, .double], "d10 t410 u900",
      "anticipated@10 single@10"),
    Case(
      "double: at the second push", [.single, .double], "d10 u90 d409",
      "anticipated@10 double@10"),
    Case(
      "double: its end is no third", [.single, .double], "d10 u90 d200 u280 t5000",
      "anticipated@10 double@10"),
    Case(
      "too late for double", [.single, .double], "d10 u90 d411 u500 t5000",
      "anticipated@10 single@10 anticipated@411 single@411"),
    Case(
      "triple is double and single", [.single, .double], "d0 u80 d160 u240 d320 u400 t5000",
      "anticipated@0 double@0 anticipated@320 single@320"),
    Case(
      "only double, pressed once", [.double], "d10 u90 t5000", "anticipated@10 unbound@10"),
  ]

  static let long: [Case] = [
    Case(
      "with long: at the release", [.single, .long], "d10 u90", "anticipated@10 single@10"),
    Case("long: under the finger", [.single, .long], "d10 t810", "anticipated@10 long@10"),
    Case("long: nothing more", [.single, .long], "d10 t810 u9000 t9999", "anticipated@10 long@10"),
    Case("long alone, pressed", [.long], "d10 u90", "anticipated@10 unbound@10"),
    Case(
      "with hold: long at the release", [.single, .long, .hold], "d0 t2999 u2999.5",
      "anticipated@0 long@0"),
    Case(
      "with hold and no long: single", [.single, .hold], "d0 u2900", "anticipated@0 single@0"),
    Case("the longest single", [.single, .long], "d0 u799.9", "anticipated@0 single@0"),
    Case(
      "all four, pressed", [.single, .double, .long, .hold], "d0 u80 t400",
      "anticipated@0 single@0"),
    Case(
      "all four, pressed for 500 ms", [.single, .double, .long, .hold], "d0 u500",
      "anticipated@0 single@0"),
  ]

  static let hold: [Case] = [
    Case(
      "hold: after the window", [.single, .hold], "d0 t3000 u3100 t7999 t8000",
      "anticipated@0 armed@3000-8000 hold@0"),
    Case(
      "hold: called off by a press", [.single, .hold], "d0 t3000 u3100 d5000 u5080 t20000",
      "anticipated@0 armed@3000-8000 cancelled@0"),
    Case(
      "hold: called off from elsewhere", [.hold], "d0 t3000 c4000 u4100 t20000",
      "anticipated@0 armed@3000-8000 cancelled@0"),
    Case(
      "hold: not before the finger is off", [.hold], "d0 t9000 u9500",
      "anticipated@0 armed@3000-8000 hold@0"),
    Case(
      "hold: what lies on the button turns nothing off", [.hold], "d0 t60000 u60001 t70000",
      "anticipated@0 armed@3000-8000 stuck@0 +buttonStuck@30000 -buttonStuck@60001"),
    Case(
      "the press after the call-off counts", [.single, .hold], "d0 u3100 d4000 u4080 d5000 u5080",
      "anticipated@0 armed@3000-8000 cancelled@0 anticipated@5000 single@5000"),
    Case(
      "stuck: no picture while it lasts", [.single], "d0 t30000 t99000 u99001 d99500",
      "single@0 +buttonStuck@30000 -buttonStuck@99001 single@99500"),
  ]

  @Test(arguments: short + long + hold)
  func `a script of edges gives the expected events`(_ example: Case) {
    var recognizer = GestureRecognizer(
      GestureSettings(bound: example.bound), at: MonotonicInstant(milliseconds: 0))
    var events: [ButtonEvent] = []
    for word in example.script.split(separator: " ") {
      let time = MonotonicInstant(milliseconds: Double(word.dropFirst()) ?? .nan)
      switch word.first {
      case "d": events += recognizer.down(at: time)
      case "u": events += recognizer.up(at: time)
      case "c":
        events += recognizer.advance(to: time)
        events += recognizer.cancel()
      default: events += recognizer.advance(to: time)
      }
    }
    #expect(events.map(\.text).joined(separator: " ") == example.events)
  }

  @Test func `the deadline is the time of the next decision`() {
    var recognizer = GestureRecognizer(
      GestureSettings(bound: Set(Gesture.allCases)), at: MonotonicInstant(milliseconds: 0))
    #expect(recognizer.deadline == nil)
    _ = recognizer.down(at: MonotonicInstant(milliseconds: 0))
    #expect(recognizer.deadline?.milliseconds == 3000)
    _ = recognizer.advance(to: MonotonicInstant(milliseconds: 3000))
    #expect(recognizer.deadline?.milliseconds == 30_000, "the finger is on it")
    _ = recognizer.up(at: MonotonicInstant(milliseconds: 3500))
    #expect(recognizer.deadline?.milliseconds == 8000)
    _ = recognizer.advance(to: MonotonicInstant(milliseconds: 8000))
    #expect(recognizer.deadline == nil)
  }

  @Test func `a button that is held at the start is a fault until it is released`() {
    var recognizer = GestureRecognizer(
      GestureSettings(bound: [.single, .hold]), at: MonotonicInstant(milliseconds: 0))
    var events = recognizer.beginHeld(at: MonotonicInstant(milliseconds: 5))
    events += recognizer.advance(to: MonotonicInstant(milliseconds: 90_000))
    events += recognizer.up(at: MonotonicInstant(milliseconds: 90_001))
    events += recognizer.down(at: MonotonicInstant(milliseconds: 90_100))
    let text = events.map(\.text).joined(separator: " ")
    #expect(text == "+buttonHeldAtStart@5 -buttonHeldAtStart@90001 anticipated@90100")
  }

  @Test func `a lost line leaves no gesture open`() {
    var recognizer = GestureRecognizer(
      GestureSettings(bound: [.single, .hold]), at: MonotonicInstant(milliseconds: 0))
    _ = recognizer.down(at: MonotonicInstant(milliseconds: 5))
    #expect(recognizer.lose().map(\.text) == ["lineLost@5"])
    #expect(recognizer.lose().isEmpty)
    #expect(recognizer.deadline == nil)
  }

  /// Random pushes, releases, times, cancellations and blocks keep to the grammar for all bindings.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `every sequence has one outcome`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bound = Set(Gesture.allCases.filter { _ in Bool.random(using: &random) })
    let settings = GestureSettings(bound: bound.isEmpty ? [.single] : bound)
    let isSingleOnly = settings.bound == [.single]
    var recognizer = GestureRecognizer(settings, at: MonotonicInstant(milliseconds: 0))
    var grammar = EventGrammar()
    var time = 0.0
    func instant() -> MonotonicInstant { MonotonicInstant(milliseconds: time) }
    for _ in 0..<600 {
      let longest = [50.0, 500, 5000, 40_000][Int.random(in: 0..<4, using: &random)]
      time += Double.random(in: 0...longest, using: &random)
      let events: [ButtonEvent] =
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: recognizer.down(at: instant())
        case 5..<10: recognizer.up(at: instant())
        case 10: recognizer.cancel()
        case 11: recognizer.block()
        case 12: recognizer.lose()
        case 13: recognizer.held(at: instant())
        default: recognizer.advance(to: instant())
        }
      if Int.random(in: 0..<4, using: &random) == 0 { recognizer.unblock() }
      for event in events { grammar.take(event, isSingleOnly: isSingleOnly) }
    }
    recognizer.unblock()
    var last = recognizer.up(at: instant())
    last += recognizer.advance(to: MonotonicInstant(milliseconds: time + 60_000))
    for event in last { grammar.take(event, isSingleOnly: isSingleOnly) }
    grammar.end()
    #expect(grammar.mistakes.isEmpty, "seed \(seed): \(grammar.mistakes)")
  }
}
