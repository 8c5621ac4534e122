import Capture
import Devices
import Testing

@Suite struct DebouncerTests {
  private func edge(_ kind: LineEdge.Kind, at milliseconds: Double) -> LineEdge {
    LineEdge(kind: kind, time: MonotonicInstant(nanoseconds: Int64(milliseconds * 1e6)))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Edges in order, `+` activated and `-` deactivated, with their times in milliseconds; `~` marks
    /// those that were inferred from the level.
    let edges: String
    let presses: [Double]
    let isHeldAtStart: Bool

    init(_ name: String, _ edges: String, _ presses: [Double], isHeldAtStart: Bool = false) {
      testDescription = name
      self.edges = edges
      self.presses = presses
      self.isHeldAtStart = isHeldAtStart
    }
  }

  static let cases: [Case] = [
    Case("clean press", "+0 -80", [0]),
    Case("bounce at closing", "+0 -1 +2 -3 +4", [0]),
    Case("bounce at opening", "+0 -100 +101 -102", [0]),
    Case("two presses", "+0 -80 +200 -280", [0, 200]),
    Case(
      "held at start, then released with bounce", "-500 +502 -504 +700", [700],
      isHeldAtStart: true),
    Case("the first edge was lost", "-500 +503 -600 +800", [500, 800]),
    Case("the last edge of the closing bounce was lost", "+0 -1 -300 +400", [0, 400]),
    Case("tap shorter than the quiet time", "+0 -5 +100", [0, 100]),
    Case("the release was lost", "+0 +300", [0, 300]),
    Case("exactly the quiet time later", "+0 -30 +60", [0, 60]),
    Case("the end of the opening bounce was inferred", "+0 -100 +103 ~-900 +1200", [0, 1200]),
    Case("the end of the closing bounce was inferred", "+0 -1 ~+900 -1000 +1200", [0, 1200]),
    Case("the whole press was inferred", "+0 -100 ~+900 -1000", [0, 900]),
    Case("time goes backwards", "+100 +50", [100]),
  ]

  @Test(arguments: cases)
  func presses(_ example: Case) {
    var debouncer = Debouncer(
      quietTime: .milliseconds(30), isActiveAtStart: example.isHeldAtStart)
    var presses: [Double] = []
    for word in example.edges.split(separator: " ") {
      let text = word.drop { $0 == "~" }
      let time = Double(text.dropFirst()) ?? .nan
      var edge = edge(text.hasPrefix("+") ? .activated : .deactivated, at: time)
      edge.isInferred = word.hasPrefix("~")
      if debouncer.isPress(edge) {
        presses.append(time)
      }
    }
    #expect(presses == example.presses)
  }

  @Test func stormWithoutPauseIsOnePress() {
    var debouncer = Debouncer(quietTime: .milliseconds(30))
    let presses = (0..<10_000).filter { index in
      debouncer.isPress(
        edge(index.isMultiple(of: 2) ? .activated : .deactivated, at: Double(index)))
    }
    #expect(presses == [0])
  }

  @Test func zeroQuietTimeTakesEveryActivation() {
    var debouncer = Debouncer(quietTime: .zero)
    let presses = (0..<10).filter { index in
      debouncer.isPress(
        edge(index.isMultiple(of: 2) ? .activated : .deactivated, at: Double(index)))
    }
    #expect(presses.count == 5)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func pressesAreAlwaysAQuietTimeApart(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var debouncer = Debouncer(quietTime: .milliseconds(30))
    var time = 0.0
    var last: Double?
    for _ in 0..<2000 {
      time += Double.random(in: 0...60, using: &random)
      guard
        debouncer.isPress(edge(Bool.random(using: &random) ? .activated : .deactivated, at: time))
      else { continue }
      if let last { #expect(time - last >= 30, "seed \(seed)") }
      last = time
    }
    #expect(last != nil)
  }
}
