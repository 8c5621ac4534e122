import Capture
import Devices
import TestSupport
import Testing

/// Pulses that no hand makes: a motor, a lamp or a relay beside the button's cable.
@Suite struct ShortestPressTests {
  private func debouncer() -> ContactDebouncer {
    ContactDebouncer(quietTime: .milliseconds(30), shortestPress: .milliseconds(5))
  }

  /// Edges and changes as in ``ContactDebouncerTests``; `s` is a spike.
  @Test(arguments: [
    ("a spike", "+0 -1", "s0"), ("one of just less than a press", "+0 -4", "s0"),
    ("the shortest press", "+0 -5", "d0 u5"), ("a press", "+0 -80", "d0 u80"),
    ("a press that bounces", "+0 -1 +2 -3 +4 -80 +81 -82", "d0 u82"),
    ("spikes too close to be told apart", "+0 -1 +10 -11 +20 -21", "s0"),
    ("a press right after a spike", "+0 -1 +3 -80", "d0 u80"),
    ("a press when the spike has come to rest", "+0 -1 +50 -120", "s0 d50 u120"),
    ("a spike of which one edge is seen", "-0 -50", "s0 s50"),
    ("a press whose first edge was lost", "-0 +2 -90 +200 -280", "d0 u90 d200 u280"),
    ("a spike between presses", "+0 -80 +200 -201 +300 -380", "d0 u80 s200 d300 u380"),
    ("a spike under the finger", "+0 -300 +301 -500", "d0 u500"),
  ])
  func `pulses give the expected changes`(_ name: String, _ edges: String, _ expected: String) {
    var debouncer = debouncer()
    var changes: [ContactDebouncer.Change] = []
    for word in edges.split(separator: " ") { changes += debouncer.take(LineEdge(word)) }
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 10_000))
    #expect(changes.map(\.text).joined(separator: " ") == expected, "\(name)")
    #expect(debouncer.deadline == nil)
  }

  @Test func `a press is certain after its shortest length and has the time of its first edge`() {
    var debouncer = debouncer()
    #expect(debouncer.take(LineEdge("+100")).isEmpty)
    #expect(debouncer.deadline?.milliseconds == 105)
    #expect(debouncer.certain(at: MonotonicInstant(milliseconds: 104)).milliseconds == 100)
    #expect(debouncer.advance(to: MonotonicInstant(milliseconds: 104)).isEmpty)
    let changes = debouncer.advance(to: MonotonicInstant(milliseconds: 105))
    #expect(changes.map(\.text) == ["d100"])
  }

  /// A busy machine lets the time decide before it reads the next edge of the bounce.
  @Test func `a press whose bounce is read late is a press`() {
    var debouncer = debouncer()
    for edge in ["+0", "-1"] { #expect(debouncer.take(LineEdge(edge)).isEmpty) }
    #expect(debouncer.advance(to: MonotonicInstant(milliseconds: 45)).map(\.text) == ["s0"])
    var changes: [ContactDebouncer.Change] = []
    for edge in ["+4", "-6", "+8"] { changes += debouncer.take(LineEdge(edge)) }
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 45))
    changes += debouncer.take(LineEdge("-100"))
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: 200))
    #expect(changes.map(\.text) == ["d0", "u100"])
  }

  /// The reference is the definition: a press is a closure of 5 ms without an edge.
  ///
  /// Its time is the first edge since the line was at rest.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `only a lasting closure is a press`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var debouncer = debouncer()
    var (time, expected, changes) = (0.0, [String](), [ContactDebouncer.Change]())
    for _ in 0..<200 {
      time += Double.random(in: 200...400, using: &random)
      let start = time
      var lasts = false
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        changes += debouncer.take(LineEdge(0, at: time))
        let closed = Double.random(in: 0.1...9, using: &random)
        lasts = lasts || closed >= 5
        time += closed
        changes += debouncer.take(LineEdge(1, at: time))
        time += Double.random(in: 0.1...9, using: &random)
      }
      expected.append((lasts ? "d" : "s") + MonotonicInstant(milliseconds: start).text)
    }
    changes += debouncer.advance(to: MonotonicInstant(milliseconds: time + 1000))
    #expect(changes.map(\.text).filter { !$0.hasPrefix("u") } == expected, "seed \(seed)")
  }

  private func outputs(_ edges: [(isDown: Bool, at: Double)], until end: Double) -> [String] {
    let start = MonotonicInstant(milliseconds: 0)
    var panel = ButtonPanel(
      [
        ButtonPanel.Button(
          name: "shutter", debounce: .milliseconds(30), shortestPress: .milliseconds(5),
          gestures: GestureSettings(bound: [.single]))
      ], at: start)
    var outputs = panel.begin("shutter", isDown: false, at: start)
    /// Lets time pass as the service does: from one deadline to the next.
    func pass(until time: Double) {
      while let deadline = panel.deadline, deadline.milliseconds <= time {
        outputs += panel.advance(to: deadline)
      }
    }
    for edge in edges {
      pass(until: edge.at)
      let instant = MonotonicInstant(milliseconds: edge.at)
      outputs += panel.take(
        LineEdge(kind: edge.isDown ? .activated : .deactivated, time: instant), of: "shutter")
    }
    pass(until: end)
    return outputs.map(\.event.text)
  }

  @Test func `many spikes are a fault during which presses still count`() {
    var edges: [(isDown: Bool, at: Double)] = []
    for index in 1...10 {
      edges += [(true, Double(index) * 450), (false, Double(index) * 450 + 1)]
    }
    edges += [(true, 5000), (false, 5080)]
    let told = outputs(edges, until: 60_000)
    #expect(count(told) == 10)
    #expect(
      told.filter { !$0.hasPrefix("spikes") }
        == ["+buttonChattering@4500", "single@5000", "-buttonChattering@14500"])
    // Nine spikes are no fault yet, nor ten that take longer than a minute.
    let nine = outputs(Array(edges.prefix(18)), until: 60_000)
    #expect(count(nine) == 9 && nine.allSatisfy { $0.hasPrefix("spikes") })
    let slow = edges.prefix(20).map { (isDown: $0.isDown, at: $0.at * 15) }
    #expect(!outputs(slow, until: 200_000).contains { $0.hasPrefix("+") })
  }

  /// Returns the number of reported spikes.
  private func count(_ told: [String]) -> Int {
    told.compactMap { $0.firstMatch(of: /^spikes(\d+)@/).flatMap { Int($0.1) } }.reduce(0, +)
  }

  @Test func `spikes are reported once a second`() {
    var edges: [(isDown: Bool, at: Double)] = []
    for index in 0..<100 { edges += [(true, Double(index) * 40), (false, Double(index) * 40 + 1)] }
    let told = outputs(edges, until: 10_000).filter { $0.hasPrefix("spikes") }
    #expect(count(told) == 100)
    #expect(told.count <= 6, "\(told)")
  }
}
