import API
import Capture
import Devices
import RigConfiguration
import TestSupport
import Testing

@testable import Service

@Suite struct ButtonTestTests {
  private static let start = MonotonicInstant(nanoseconds: 3_600_000_000_000)

  private static func instant(_ milliseconds: Double) -> MonotonicInstant {
    start.advanced(by: .microseconds(Int(milliseconds * 1000)))
  }

  /// Runs a test on edges, given by times in milliseconds: positive for down, negative for up.
  private func run(
    _ edges: [Double], until end: Double = 1000, wanted: Int = 1,
    debounce: Duration = .milliseconds(30)
  ) -> ButtonTest {
    var test = ButtonTest(
      wanted: wanted, debounce: debounce, actions: [.single: .shoot], at: Self.start)
    for edge in edges {
      let time = Self.instant(abs(edge))
      test.take(
        .edge(LineEdge(kind: edge > 0 ? .activated : .deactivated, time: time)), at: time)
    }
    test.take(.tick, at: Self.instant(end))
    return test
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edges: [Double]
    var isOver = true
    /// Start, held, edges and bounce of each press.
    let presses: [ButtonTestReport.Press]
    var code: String?
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a clean press", edges: [100, -180],
      presses: [.init(milliseconds: 100, heldMilliseconds: 80, edges: 2, bounceMilliseconds: 0)]),
    Case(
      testDescription: "bounce both ways", edges: [100, -101, 102.5, -180, 181, -181.5],
      presses: [.init(milliseconds: 100, heldMilliseconds: 80, edges: 6, bounceMilliseconds: 2.5)]),
    Case(
      testDescription: "a press that is shorter than the quiet time", edges: [100, -110],
      presses: [.init(milliseconds: 100, heldMilliseconds: 10, edges: 2, bounceMilliseconds: 10)]),
    Case(
      testDescription: "a contact that opens under the finger", edges: [100, -200, 201, -300],
      presses: [.init(milliseconds: 100, heldMilliseconds: 200, edges: 4, bounceMilliseconds: 0)]),
    Case(
      testDescription: "held to the end", edges: [100], isOver: false,
      presses: [.init(milliseconds: 100, heldMilliseconds: nil, edges: 1, bounceMilliseconds: 0)],
      code: "buttonStuck"),
    Case(
      testDescription: "nothing", edges: [], isOver: false, presses: [], code: "buttonSilent"),
    Case(
      testDescription: "an edge that makes no press", edges: [-100], isOver: false, presses: [],
      code: "buttonSilent"),
  ]

  @Test(arguments: cases) func `edges make presses`(_ known: Case) {
    let test = run(known.edges)
    #expect(test.presses == known.presses)
    #expect(test.isOver == known.isOver)
    #expect(test.edgeCount == known.edges.count)
    #expect(test.problem(after: 20)?.code == known.code)
  }

  @Test func `a press ends when its line is quiet`() {
    #expect(!run([100, -180], until: 200).isOver)
    #expect(run([100, -180], until: 210).isOver)
  }

  @Test func `the wanted number of presses ends the test`() {
    let edges: [Double] = [100, -180, 500, -580]
    #expect(run(edges, wanted: 2).isOver)
    let test = run(edges, wanted: 3)
    #expect(!test.isOver && test.pressCount == 2)
    #expect(test.problem(after: 20)?.seen == "2 of 3 presses were seen in 20 s")
  }

  @Test func `an undecided gesture is waited for`() {
    var test = run([100, -180], until: 150)
    let push = Self.instant(100)
    test.take(.told(.anticipated(at: push)), at: Self.instant(150))
    test.take(.tick, at: Self.instant(400))
    #expect(!test.isOver)
    test.take(.told(.gesture(.single, at: push)), at: Self.instant(500))
    #expect(test.isOver)
    #expect(test.gestures == [.init(gesture: "single", action: "shoot", milliseconds: 100)])
  }

  @Test func `a chattering contact ends the test`() {
    var test = run([100])
    test.take(.told(.faultBegan(.buttonChattering, at: Self.instant(400))), at: Self.instant(400))
    #expect(test.isOver && test.problem(after: 1)?.code == "buttonChattering")
  }

  @Test func `lost edges are a fault`() {
    var test = run([100, -180])
    test.take(.lostEdges(3), at: Self.instant(1000))
    #expect(test.problem(after: 1)?.code == "edgesLost")
  }

  /// The report on any edges is limited, its numbers are possible, and its presses are in order.
  @Test(arguments: 0..<20 as Range<UInt64>) func `any edges give a report`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var test = ButtonTest(
      wanted: 20, debounce: .milliseconds(seed.isMultiple(of: 3) ? 0 : 30), actions: [:],
      at: Self.start)
    var time = 0.0
    for _ in 0..<2000 {
      time += Double.random(in: 0...60, using: &random)
      let kind: LineEdge.Kind = Bool.random(using: &random) ? .activated : .deactivated
      test.take(
        .edge(LineEdge(kind: kind, time: Self.instant(time))), at: Self.instant(time))
    }
    test.take(.tick, at: Self.instant(time + 1000))
    #expect(test.edgeCount == 2000 && test.edges.count == ButtonTestReport.maximumEdges)
    #expect(!test.presses.isEmpty && test.presses.count <= ButtonTestReport.maximumEdges)
    let starts = test.presses.map(\.milliseconds)
    #expect(starts == starts.sorted())
    #expect(test.presses.allSatisfy { $0.edges > 0 && $0.bounceMilliseconds >= 0 })
    #expect(test.presses.allSatisfy { $0.heldMilliseconds ?? 0 >= 0 })
  }
}
