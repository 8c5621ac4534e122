import API
import Capture
import Devices
import RigConfiguration

/// The observations of a button during its test.
///
/// The value has no clock: callers pass the line's events, their interpretation, and the time.
struct ButtonTest: Sendable {
  /// An event during the test.
  enum Event: Sendable, Hashable {
    /// The line changed.
    case edge(LineEdge)
    /// Edges were lost.
    case lostEdges(Int)
    /// The interpretation of the edges.
    case told(ButtonEvent)
    /// Time passed without any other event.
    case tick
  }

  /// A push of the button, perhaps with its release.
  private struct Push: Sendable {
    let start: MonotonicInstant
    /// The last edge of the bounce at the push.
    var settled: MonotonicInstant
    var release: (start: MonotonicInstant, last: MonotonicInstant)?
    var edges = 1
    var isOver = false

    var bounce: Duration {
      max(start.duration(to: settled), release.map { $0.start.duration(to: $0.last) } ?? .zero)
    }
  }

  /// The cause of the current series of edges.
  private enum Unrest: Sendable { case push, release, stray }

  /// The shortest quiet time: an edge that follows sooner is bounce, whatever is configured.
  static let shortestQuiet = Duration.milliseconds(5)

  let wanted: Int
  private let quiet: Duration
  private let actions: [Gesture: ButtonAction]
  private let began: MonotonicInstant
  private var pushes: [Push] = []
  private var unrest = Unrest.stray
  private var lastEdge: MonotonicInstant?
  private var isDown = false
  private var isUndecided = false
  private(set) var isChattering = false
  private(set) var lostEdges = 0
  private(set) var edgeCount = 0
  private(set) var edges: [ButtonTestReport.Edge] = []
  private(set) var gestures: [ButtonTestReport.Gesture] = []

  /// Makes the test of a released button.
  ///
  /// - Parameters:
  ///   - wanted: the number of presses that end the test.
  ///   - debounce: the quiet time after which the line is at rest.
  init(
    wanted: Int, debounce: Duration, actions: [Gesture: ButtonAction], at now: MonotonicInstant
  ) {
    self.wanted = wanted
    quiet = max(debounce, Self.shortestQuiet)
    self.actions = actions
    began = now
  }

  /// The number of completed presses.
  var pressCount: Int { pushes.count { $0.isOver } }

  /// Whether the button was pushed and not released again.
  var isHeld: Bool { pushes.last.map { !$0.isOver } ?? false }

  /// Whether no further event is needed.
  var isOver: Bool { isChattering || pressCount >= wanted && !isHeld && !isUndecided }

  /// Processes an event at an instant.
  mutating func take(_ event: Event, at now: MonotonicInstant) {
    switch event {
    case .edge(let edge): take(edge)
    case .lostEdges(let count): lostEdges += count
    case .told(let event): take(event)
    case .tick: settle(at: now)
    }
  }

  private mutating func take(_ edge: LineEdge) {
    let time = max(edge.time, lastEdge ?? edge.time)
    settle(at: time)
    let wasAtRest = isAtRest(at: time)
    lastEdge = time
    isDown = edge.kind == .activated
    edgeCount += 1
    if edges.count < ButtonTestReport.maximumEdges {
      edges.append(ButtonTestReport.Edge(milliseconds: milliseconds(time), isDown: isDown))
    }
    if wasAtRest { begin(edge.kind, at: time) } else { bounce(at: time) }
  }

  private mutating func begin(_ kind: LineEdge.Kind, at time: MonotonicInstant) {
    switch kind {
    case .activated:
      unrest = .push
      pushes.append(Push(start: time, settled: time))
    case .deactivated where isHeld:
      unrest = .release
      pushes[pushes.count - 1].edges += 1
      pushes[pushes.count - 1].release = (time, time)
    case .deactivated: unrest = .stray
    }
  }

  private mutating func bounce(at time: MonotonicInstant) {
    guard isHeld, unrest != .stray else { return }
    pushes[pushes.count - 1].edges += 1
    switch unrest {
    case .push: pushes[pushes.count - 1].settled = time
    case .release: pushes[pushes.count - 1].release?.last = time
    case .stray: break
    }
  }

  private func isAtRest(at time: MonotonicInstant) -> Bool {
    lastEdge.map { $0.duration(to: time) >= quiet } ?? true
  }

  /// Decides by the line's level whether the button is up, once the line is at rest.
  private mutating func settle(at now: MonotonicInstant) {
    guard isHeld, let lastEdge, isAtRest(at: now) else { return }
    if isDown {
      pushes[pushes.count - 1].release = nil
    } else {
      if pushes[pushes.count - 1].release == nil {
        // The button was released before the line was at rest: all edges belong to one series.
        pushes[pushes.count - 1].release = (lastEdge, lastEdge)
      }
      pushes[pushes.count - 1].isOver = true
    }
  }

  private mutating func take(_ event: ButtonEvent) {
    switch event {
    case .anticipated, .armed: isUndecided = true
    case .withdrawn: isUndecided = false
    case .gesture(let gesture, let time):
      isUndecided = false
      guard gestures.count < ButtonTestReport.maximumEdges else { break }
      gestures.append(
        ButtonTestReport.Gesture(
          gesture: Word(gesture), action: actions[gesture]?.rawValue,
          milliseconds: milliseconds(time)))
    case .faultBegan(.buttonChattering, _): isChattering = true
    case .faultBegan, .faultEnded, .lostEdges, .spikes: break
    }
  }

  private func milliseconds(_ time: MonotonicInstant) -> Double {
    began.duration(to: time) / .milliseconds(1)
  }

  /// The presses for the report.
  var presses: [ButtonTestReport.Press] {
    pushes.prefix(ButtonTestReport.maximumEdges).map { push in
      ButtonTestReport.Press(
        milliseconds: milliseconds(push.start),
        heldMilliseconds: push.isOver
          ? push.release.map { push.start.duration(to: $0.start) / .milliseconds(1) } : nil,
        edges: push.edges, bounceMilliseconds: push.bounce / .milliseconds(1))
    }
  }
}
