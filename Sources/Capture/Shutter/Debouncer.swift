public import Devices

/// Finds presses among the raw edges of a button.
///
/// The first activating edge is the press, so that its kernel timestamp is the moment of the
/// press. Each edge, of either kind, opens a quiet time in which no further edge is a press: the
/// contact bounces when it opens, too. A storm that never pauses is therefore one press. A button
/// that is held when the watch begins gives no edge and so no press.
public struct Debouncer: Sendable, Hashable {
  /// How long the line must have been quiet before an edge can be a press; zero takes every
  /// activating edge.
  public let quietTime: Duration
  private var lastEdge: MonotonicInstant?

  /// Makes a debouncer for a line on which no edge has been seen yet.
  public init(quietTime: Duration) {
    self.quietTime = quietTime
  }

  /// Takes the next edge of the line and returns whether it is a press.
  ///
  /// Edges come in the order of their times; an edge that lies before its forerunner counts as
  /// bounce.
  public mutating func isPress(_ edge: LineEdge) -> Bool {
    defer { lastEdge = max(edge.time, lastEdge ?? edge.time) }
    guard edge.kind == .activated else { return false }
    guard let lastEdge else { return true }
    let pause = lastEdge.duration(to: edge.time)
    return pause >= quietTime && pause >= .zero
  }
}
