import Devices

/// Follows a line's edges and detects edges that the kernel has lost in between.
///
/// The tracker uses two signs: the kernel's numbers, which have a gap where its queue overflowed,
/// and the edges' kinds, which must alternate. Version 1 of the kernel interface has only the
/// second. Edges that come faster than the interrupt's thread runs merge without a gap.
struct EdgeTracker: Sendable, Hashable {
  /// Whether the line is active, as far as the edges tell.
  private(set) var isActive: Bool

  private var lastSequence: UInt32?
  private var suspectedLevel: Bool?

  init(isActive: Bool) {
    self.isActive = isActive
  }

  /// Takes an edge and returns the number of edges known to be lost before it, 0 or more.
  mutating func take(_ edge: LineEdge) -> Int {
    let wasActive = isActive
    isActive = edge.kind == .activated
    suspectedLevel = nil
    if let sequence = edge.lineSequence {
      // The kernel counts a line's edges from 1 and wraps.
      let gap = sequence &- (lastSequence ?? 0) &- 1
      lastSequence = sequence
      // A "gap" of half the range is a number that went backwards, which is no evidence.
      if gap > 0, gap < UInt32.max / 2 { return Int(gap) }
    }
    return isActive == wasActive ? 1 : 0
  }

  /// Compares the line's level with the edges, while no edges wait.
  ///
  /// An edge may be on its way from the interrupt to the queue. So a difference counts only when
  /// the next comparison still finds it and no edge has come in between.
  ///
  /// - Returns: the result, which names the next action.
  mutating func compare(level: Bool) -> Comparison {
    guard level != isActive else {
      suspectedLevel = nil
      return .agrees
    }
    guard suspectedLevel == level else {
      suspectedLevel = level
      return .compareAgain
    }
    suspectedLevel = nil
    isActive = level
    return .lostEdge(level ? .activated : .deactivated)
  }

  /// The result of a comparison of the level with the edges.
  enum Comparison: Sendable, Hashable {
    /// The level matches the last edge.
    case agrees
    /// The level differs; compare again a little later.
    case compareAgain
    /// The last edge, of this kind, was lost.
    case lostEdge(LineEdge.Kind)
  }
}
