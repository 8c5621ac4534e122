public import Devices

/// Finds presses among the raw edges of a button.
///
/// The first activating edge is the press, so that its kernel timestamp is the moment of the
/// press. Each edge, of either kind, opens a quiet time in which no further edge is a press: the
/// contact bounces when it opens, too. A storm that never pauses is therefore one press. A button
/// that is held when the watch begins gives no edge and so no press.
///
/// The kernel merges edges that come too fast, and what it loses may be the first edge of a press.
/// An edge of a button that comes up although it was not down tells of such a press; it counts, a
/// few milliseconds late, rather than not at all.
public struct Debouncer: Sendable, Hashable {
  /// How long the line must have been quiet before an edge can be a press; zero takes every
  /// activating edge.
  public let quietTime: Duration
  private var lastEdge: LineEdge?
  private var awaitsRelease: Bool

  /// Makes a debouncer for a line on which no edge has been seen yet.
  ///
  /// - Parameters:
  ///   - quietTime: how long the line must have been quiet before a press.
  ///   - isActiveAtStart: whether the button was down when the watch began.
  public init(quietTime: Duration, isActiveAtStart: Bool = false) {
    self.quietTime = quietTime
    awaitsRelease = isActiveAtStart
  }

  /// Takes the next edge of the line and returns whether it is a press.
  ///
  /// Edges come in the order of their times; an edge that lies before its forerunner counts as
  /// bounce.
  public mutating func isPress(_ edge: LineEdge) -> Bool {
    let last = lastEdge
    lastEdge = edge
    if let last {
      lastEdge?.time = max(last.time, edge.time)
      let pause = last.time.duration(to: edge.time)
      guard pause >= quietTime, pause >= .zero else { return false }
    }
    let isPress =
      switch edge.kind {
      // An inferred edge of a button that is down already is the end of its bounce.
      case .activated: !(edge.isInferred && awaitsRelease)
      case .deactivated: !awaitsRelease && last?.kind != .activated
      }
    awaitsRelease = isPress || edge.kind == .activated
    return isPress
  }
}
