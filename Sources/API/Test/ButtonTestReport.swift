/// What was seen of a button: the answer to `POST /v1/tests/button`.
public struct ButtonTestReport: Sendable, Hashable, Codable {
  /// A change of the line, as the kernel saw it.
  public struct Edge: Sendable, Hashable, Codable {
    /// When, in milliseconds since the test began, by the kernel's interrupt handler.
    public let milliseconds: Double
    /// Whether the button was down after it.
    public let isDown: Bool

    /// Makes an edge.
    public init(milliseconds: Double, isDown: Bool) {
      self.milliseconds = finite(milliseconds) ?? 0
      self.isDown = isDown
    }
  }

  /// A press of the button.
  public struct Press: Sendable, Hashable, Codable {
    /// When the button went down, in milliseconds since the test began.
    public let milliseconds: Double
    /// How long it was down, in milliseconds; `nil` when it has not come up.
    public let heldMilliseconds: Double?
    /// How many edges it made, both ways; two without bounce.
    public let edges: Int
    /// How long the contact bounced, the longer of both ways, in milliseconds.
    public let bounceMilliseconds: Double

    /// Makes a press.
    public init(
      milliseconds: Double, heldMilliseconds: Double?, edges: Int, bounceMilliseconds: Double
    ) {
      self.milliseconds = finite(milliseconds) ?? 0
      self.heldMilliseconds = finite(heldMilliseconds)
      self.edges = edges
      self.bounceMilliseconds = finite(bounceMilliseconds) ?? 0
    }
  }

  /// What the presses were understood as.
  public struct Gesture: Sendable, Hashable, Codable {
    /// The gesture: `single`, `double`, `long` or `hold`.
    public let gesture: String
    /// What the button does at it, for example `shoot`, which was not done; `nil` for nothing.
    public let action: String?
    /// When its first push came, in milliseconds since the test began.
    public let milliseconds: Double

    /// Makes a gesture.
    public init(gesture: String, action: String?, milliseconds: Double) {
      self.gesture = gesture
      self.action = action
      self.milliseconds = finite(milliseconds) ?? 0
    }
  }

  /// The most edges that a report holds.
  public static let maximumEdges = 64

  /// The button's name.
  public let button: String
  /// How long the test took, in seconds.
  public let seconds: Double
  /// How many presses were wanted.
  public let wantedPresses: Int
  /// Whether the button was down when the test began.
  public let wasDownAtStart: Bool
  /// The first 64 edges.
  public let edges: [Edge]
  /// How many edges there were.
  public let edgeCount: Int
  /// How many edges the kernel counted and nobody got to see.
  public let lostEdges: Int
  /// The presses, the first one first.
  public let presses: [Press]
  /// What they were understood as.
  public let gestures: [Gesture]
  /// What is wrong; `nil` when nothing is.
  public let problem: TestProblem?

  /// Makes a report.
  public init(
    button: String, seconds: Double, wantedPresses: Int, wasDownAtStart: Bool = false,
    edges: [Edge] = [], edgeCount: Int = 0, lostEdges: Int = 0, presses: [Press] = [],
    gestures: [Gesture] = [], problem: TestProblem? = nil
  ) {
    self.button = button
    self.seconds = finite(seconds) ?? 0
    self.wantedPresses = wantedPresses
    self.wasDownAtStart = wasDownAtStart
    self.edges = edges
    self.edgeCount = edgeCount
    self.lostEdges = lostEdges
    self.presses = presses
    self.gestures = gestures
    self.problem = problem
  }
}
