import Capture
import Devices
import Testing

/// The bounce of real switches and the spikes of relays, by published figures.
///
/// The sources publish lengths and numbers. The places of the edges within a length are made up.
@Suite struct PublishedBounceTests {
  /// A switch that somebody has measured, or its data sheet.
  struct Switch: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The longest bounce in milliseconds.
    let bounce: Double
    /// The published number of edges of a closing; `nil` where only the length is published.
    var edges: Int?

    init(_ name: String, _ bounce: Double, edges: Int? = nil) {
      testDescription = name
      self.bounce = bounce
      self.edges = edges
    }
  }

  /// A source is named by its repository and issue on GitHub, its title, or its data sheet.
  static let switches = [
    Switch("tactile MX key, adamfk/bouncy-button-data#29", 0.0751),
    Switch("linear MX key, adamfk/bouncy-button-data#28", 0.1696),
    Switch("rocker, adamfk/bouncy-button-data#8", 1.1),
    Switch("mean of 18 switches, J. Ganssle, A Guide to Debouncing", 1.557),
    Switch("rocker, adamfk/bouncy-button-data#1", 1.8),
    Switch("Morse key, pe1hvh/measure_bouncing", 2.188, edges: 17),
    Switch("buckling spring, deskthority.net p396903", 3.23),
    Switch("most of Omron B3F, data sheet", 5),
    Switch("worst of most switches, J. Ganssle, A Guide to Debouncing", 6.2),
    Switch("tactile 6x6 mm, adamfk/bouncy-button-data#11", 9.3),
    Switch("tactile 6x6 mm, adamfk/bouncy-button-data#23", 14),
    Switch("most of Namae JTP-1136C, data sheet", 20),
    Switch("toggle switch module, Lians-coder/embedded_HW", 39),
  ]

  /// Switches whose bounce is long enough to count as chatter.
  static let worn = [
    Switch("worn push button, adamfk/bouncy-button-data#17", 434),
    Switch("old stop button, adamfk/bouncy-button-data#21", 660),
    Switch("worn push button, adamfk/bouncy-button-data#6", 973),
  ]

  /// The part of the bounce in which most edges lie.
  enum Phase: Sendable, CaseIterable {
    case early, even, late

    /// Returns the place of an edge in the bounce, both as shares of the whole.
    func place(_ share: Double) -> Double {
      switch self {
      case .early: share * share
      case .even: share
      case .late: share.squareRoot()
      }
    }
  }

  /// Returns the edges of a push or a release with bounce; their number is odd.
  private func edges(
    closing: Bool, at start: Double, bounce: Double = 0, count: Int = 1, _ phase: Phase = .even
  ) -> [LineEdge] {
    (0..<count).map { index in
      let share = count == 1 ? 0 : Double(index) / Double(count - 1)
      return LineEdge(closing ? index : index + 1, at: start + bounce * phase.place(share))
    }
  }

  /// Returns the events without their times.
  private func kinds(_ events: [String]) -> [String] {
    events.map { String($0.prefix { $0 != "@" }) }
  }

  @Test(arguments: switches, Phase.allCases)
  func `each closing of a published switch is a press at its first edge`(
    _ example: Switch, _ phase: Phase
  ) {
    let starts = (0..<5).map { Double(100 + 600 * $0) }
    for count in example.edges.map({ [$0] }) ?? [3, 9, 17] {
      let played = starts.flatMap { start in
        edges(closing: true, at: start, bounce: example.bounce, count: count, phase)
          + edges(closing: false, at: start + 200, bounce: example.bounce, count: count, phase)
      }
      for (isPunctual, shortestPress) in [(true, 5.0), (false, 5.0), (true, 0.0), (false, 0.0)] {
        let told = events(
          of: played, shortestPress: shortestPress, isPunctual: isPunctual, until: 10_000)
        #expect(
          told == starts.map { "single@\(Int($0))" },
          "\(count) edges, punctual \(isPunctual), shortest press \(shortestPress)")
      }
    }
  }

  @Test(arguments: worn, [Phase.early, .even])
  func `a switch that bounces for longer than a quarter of a second is told of`(
    _ example: Switch, _ phase: Phase
  ) {
    var played = edges(closing: true, at: 100, bounce: example.bounce, count: 129, phase)
    played += edges(closing: false, at: 4100)
    played += edges(closing: true, at: 6000) + edges(closing: false, at: 6080)
    for isPunctual in [true, false] {
      let told = events(of: played, isPunctual: isPunctual, until: 20_000)
      let first = told.filter { $0 == "single@100" }
      #expect(first.count <= 1)
      let others = told.filter { $0 != "single@100" }
      #expect(kinds(others) == ["+buttonChattering", "-buttonChattering", "single"], "\(told)")
      #expect(others.last == "single@6000")
    }
  }

  /// Ganssle's worst switch bounced for 157 ms: once closed for 81 ms, then open for 42 ms.
  ///
  /// A pause that is longer than `debounce` looks like a release, so that key has to exceed it.
  @Test(arguments: [(30.0, ["single@100", "single@223"]), (50.0, ["single@100"])])
  func `a pause in the bounce needs a longer debounce`(_ debounce: Double, _ expected: [String]) {
    let played = ["+100", "-181", "+223", "-500"].map { LineEdge($0) }
    #expect(events(of: played, debounce: debounce, until: 10_000) == expected)
  }

  @Test(arguments: [0.001, 0.05, 1.557, 2.188, 4.9])
  func `pulses shorter than the shortest press are none`(_ width: Double) {
    let played = (1...9).flatMap { index in
      edges(closing: true, at: Double(index) * 450)
        + edges(closing: false, at: Double(index) * 450 + width)
    }
    for isPunctual in [true, false] {
      let told = events(of: played, isPunctual: isPunctual, until: 60_000)
      #expect(!told.isEmpty && kinds(told).allSatisfy { $0.hasPrefix("spikes") }, "\(told)")
    }
  }

  /// Returns the burst by which IEC 61000-4-4 stands for a relay or motor that is switched off.
  ///
  /// A burst is 75 pulses, at 5 or at 100 kHz. Each pulse is seen for half of its period.
  private func burst(kilohertz: Double, at start: Double) -> [LineEdge] {
    (0..<150).map { LineEdge($0, at: start + Double($0) / kilohertz / 2) }
  }

  @Test(arguments: [5.0, 100.0])
  func `a relay's burst is no press, and many of them are told of`(_ kilohertz: Double) {
    let one = events(of: burst(kilohertz: kilohertz, at: 100), until: 10_000)
    #expect(one == ["spikes1@100"])
    // The standard's test repeats the burst each 300 ms for a minute.
    var played = (0..<200).flatMap { burst(kilohertz: kilohertz, at: 100 + Double($0) * 300) }
    played += edges(closing: true, at: 80_000) + edges(closing: false, at: 80_080)
    let told = events(of: played, until: 100_000).filter { !$0.hasPrefix("spikes") }
    #expect(kinds(told) == ["+buttonChattering", "-buttonChattering", "single"])
    #expect(told.last == "single@80000")
  }
}
