package import Devices

/// The observations of a button: the answer to `POST /v1/tests/button`.
package struct ButtonTestReport: Sendable, Hashable, Codable {
  /// A change of the line, as the kernel saw it.
  package struct Edge: Sendable, Hashable, Codable {
    /// The milliseconds since the test began, by the kernel's interrupt handler.
    package let milliseconds: Double
    /// Whether the button was down after the edge.
    package let isDown: Bool

    package init(milliseconds: Double, isDown: Bool) {
      self.milliseconds = finite(milliseconds) ?? 0
      self.isDown = isDown
    }
  }

  /// A press of the button.
  package struct Press: Sendable, Hashable, Codable {
    /// The time when the button went down, in milliseconds since the test began.
    package let milliseconds: Double
    /// The time that the button was down, in milliseconds; `nil` while it is still down.
    package let heldMilliseconds: Double?
    /// The number of edges in both directions; two without bounce.
    package let edges: Int
    /// The time that the contact bounced, the longer of both directions, in milliseconds.
    package let bounceMilliseconds: Double

    package init(
      milliseconds: Double, heldMilliseconds: Double?, edges: Int, bounceMilliseconds: Double
    ) {
      self.milliseconds = finite(milliseconds) ?? 0
      self.heldMilliseconds = finite(heldMilliseconds)
      self.edges = edges
      self.bounceMilliseconds = finite(bounceMilliseconds) ?? 0
    }
  }

  /// A gesture that the presses were recognized as.
  package struct Gesture: Sendable, Hashable, Codable {
    /// The gesture.
    package let gesture: Word<Devices.Gesture>
    /// The action of the gesture, for example `shoot`, which was not done; `nil` for none.
    package let action: String?
    /// The time of the gesture's first push, in milliseconds since the test began.
    package let milliseconds: Double

    package init(gesture: Word<Devices.Gesture>, action: String?, milliseconds: Double) {
      self.gesture = gesture
      self.action = action
      self.milliseconds = finite(milliseconds) ?? 0
    }
  }

  /// The most edges that a report holds.
  package static let maximumEdges = 64

  /// The button's name.
  package let button: String
  /// The time that the test took, in seconds.
  package let seconds: Double
  /// The number of wanted presses.
  package let wantedPresses: Int
  /// Whether the button was down when the test began.
  package let wasDownAtStart: Bool
  /// The first 64 edges.
  package let edges: [Edge]
  /// The number of all edges.
  package let edgeCount: Int
  /// The number of edges that the kernel counted and the service never saw.
  package let lostEdges: Int
  /// The presses in their order.
  package let presses: [Press]
  /// The gestures that the presses were recognized as.
  package let gestures: [Gesture]
  /// The problem; `nil` for none.
  package let problem: TestProblem?

  package init(
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
