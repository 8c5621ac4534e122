import Capture
import Devices
import TestSupport
import Testing

@Suite struct ContactDebouncerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Edges in order, with their times in milliseconds.
    ///
    /// `+` is activated, `-` deactivated, and `~` marks edges that were inferred from the level.
    let edges: String
    /// `d` down, `h` held, `u` up, with their times.
    let changes: String
    let isHeldAtStart: Bool

    init(_ name: String, _ edges: String, _ changes: String, isHeldAtStart: Bool = false) {
      testDescription = name
      self.edges = edges
      self.changes = changes
      self.isHeldAtStart = isHeldAtStart
    }
  }

  static let cases: [Case] = [
    Case("clean press", "+0 -80", "d0 u80"),
    Case("bounce at closing", "+0 -1 +2 -3 +4", "d0"),
    Case("bounce at opening", "+0 -100 +101 -102", "d0 u102"),
    Case("a flicker under the finger", "+0 -500 +501 -2000", "d0 u2000"),
    Case("two presses", "+0 -80 +200 -280", "d0 u80 d200 u280"),
    Case(
      "held at start, then released with bounce", "-500 +502 -504 +700", "u504 d700",
      isHeldAtStart: true),
    Case("the first edge was lost", "-500 +503 -600 +800", "d500 u600 d800"),
    Case("the last edge of the closing bounce was lost", "+0 -1 -300 +400", "d0 u1 d400"),
    Case("tap shorter than the quiet time", "+0 -5 +100", "d0 u5 d100"),
    Case("the release was lost", "+0 +300", "d0 u300 d300"),
    Case("exactly the quiet time later", "+0 -30 +60", "d0 u30 d60"),
    Case(
      "the end of the opening bounce was inferred", "+0 -100 +103 ~-900 +1200", "d0 u900 d1200"),
    Case(
      "the end of the closing bounce was inferred", "+0 -1 ~+900 -1000 +1200",
      "d0 u1 h900 u1000 d1200"),
    Case("the whole press was inferred", "+0 -100 ~+900 -1000", "d0 u100 d900 u1000"),
    Case("time goes backwards", "+100 +50", "d100"),
  ]

  @Test(arguments: cases)
  func `edges give the expected changes`(_ example: Case) {
    var debouncer = ContactDebouncer(
      quietTime: .milliseconds(30), isActiveAtStart: example.isHeldAtStart)
    var changes: [ContactDebouncer.Change] = []
    for word in example.edges.split(separator: " ") {
      changes += debouncer.take(LineEdge(word))
    }
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 10_000))
    #expect(changes.map(\.text).joined(separator: " ") == example.changes)
    #expect(debouncer.deadline == nil)
  }

  @Test func `a release is known when the line has come to rest`() {
    var debouncer = ContactDebouncer(quietTime: .milliseconds(30))
    _ = debouncer.take(LineEdge("+0"))
    _ = debouncer.take(LineEdge("-80"))
    #expect(debouncer.deadline == MonotonicInstant(milliseconds: 110))
    #expect(debouncer.advance(to: MonotonicInstant(milliseconds: 109)).isEmpty)
    #expect(debouncer.certain(at: MonotonicInstant(milliseconds: 109)).milliseconds == 80)
    let changes = debouncer.advance(to: MonotonicInstant(milliseconds: 110))
    #expect(changes == [.up(at: MonotonicInstant(milliseconds: 80))])
    #expect(debouncer.certain(at: MonotonicInstant(milliseconds: 111)).milliseconds == 111)
  }

  @Test func `with a quiet time of zero every activation counts`() {
    var debouncer = ContactDebouncer(quietTime: .zero)
    var changes: [ContactDebouncer.Change] = []
    for index in 0..<10 { changes += debouncer.take(LineEdge(index, at: Double(index))) }
    #expect(changes.map(\.text) == (0..<10).map { "\($0.isMultiple(of: 2) ? "d" : "u")\($0)" })
  }

  @Test func `a storm is one push and then chatter until it is quiet`() {
    var debouncer = ContactDebouncer(quietTime: .milliseconds(30))
    var changes: [ContactDebouncer.Change] = []
    // 10 kHz for a minute.
    for index in 0..<600_000 { changes += debouncer.take(LineEdge(index, at: Double(index) / 10)) }
    // The 251st edge of the first second.
    #expect(changes.map(\.text) == ["d0", "c25"])
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 60_998))
    #expect(debouncer.isChattering)
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 61_000))
    #expect(changes.map(\.text) == ["d0", "c25", "u59999.9", "e60999.9"])
    #expect(debouncer.deadline == nil)
  }

  @Test func `a slow chatter is found by its unrest`() {
    var debouncer = ContactDebouncer(quietTime: .milliseconds(30))
    var changes: [ContactDebouncer.Change] = []
    for index in 0..<100 { changes += debouncer.take(LineEdge(index, at: Double(index) * 20)) }
    #expect(changes.map(\.text) == ["d0", "c260"])
  }

  @Test func `lost edges are chatter too`() {
    var debouncer = ContactDebouncer(quietTime: .milliseconds(30))
    var changes = debouncer.lose(250, at: MonotonicInstant(milliseconds: 5))
    #expect(changes.isEmpty)
    changes = debouncer.lose(1, at: MonotonicInstant(milliseconds: 6))
    #expect(changes.map(\.text) == ["c6"])
    changes = debouncer.advance(to: MonotonicInstant(milliseconds: 2000))
    #expect(changes.map(\.text) == ["e1006"])
  }

  @Test func `a hand never chatters`() {
    var debouncer = ContactDebouncer(quietTime: .milliseconds(30))
    var changes: [ContactDebouncer.Change] = []
    // Twelve pushes a second with four bounces each way.
    for push in 0..<120 {
      let start = Double(push) * 1000 / 12
      for bounce in 0..<9 {
        changes += debouncer.take(LineEdge(bounce, at: start + Double(bounce) * 0.5))
      }
      for bounce in 0..<9 {
        changes += debouncer.take(LineEdge(bounce + 1, at: start + 40 + Double(bounce) * 0.5))
      }
    }
    #expect(changes.count { $0.text.hasPrefix("d") } == 120)
    #expect(!debouncer.isChattering)
  }

  /// Pushes are a quiet time apart, downs and ups alternate, and time goes on, for any edges.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `pushes are always a quiet time apart`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var debouncer = ContactDebouncer(
      quietTime: .milliseconds(30), isActiveAtStart: seed.isMultiple(of: 3))
    var isDown = seed.isMultiple(of: 3)
    var time = 0.0
    var last: Double?
    var downs = 0
    for _ in 0..<3000 {
      time += Double.random(in: 0...[2, 60, 300][Int(seed % 3)], using: &random)
      var edge = LineEdge(Int.random(in: 0...1, using: &random), at: time)
      edge.isInferred = Int.random(in: 0..<20, using: &random) == 0
      let changes =
        Bool.random(using: &random)
        ? debouncer.take(edge) : debouncer.advance(to: MonotonicInstant(milliseconds: time))
      for change in changes {
        switch change {
        case .down(let instant):
          #expect(!isDown, "seed \(seed)")
          if let last { #expect(instant.milliseconds - last >= 29.999, "seed \(seed)") }
          last = instant.milliseconds
          isDown = true
          downs += 1
        case .held: isDown = true
        case .up:
          #expect(isDown, "seed \(seed)")
          isDown = false
        case .chatterBegan, .chatterEnded, .spike: break
        }
      }
    }
    // Edges that are never a quiet time apart are no pushes.
    #expect(downs > 0 || seed.isMultiple(of: 3), "seed \(seed)")
  }
}
