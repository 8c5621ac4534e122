import Devices

/// Follows a line's edges and tells how many the kernel has lost in between.
///
/// Two witnesses are heard: the kernel's numbers, which have a gap where its queue overflowed, and
/// the edges' kinds, which must alternate. Version 1 of the kernel interface has only the second;
/// and edges that come faster than the interrupt's thread runs melt together without a gap.
struct EdgeTracker: Sendable, Hashable {
  /// Whether the line is active, as far as the edges tell.
  private(set) var isActive: Bool

  private var lastSequence: UInt32?
  private var suspectedLevel: Bool?

  /// Makes a tracker for a line whose level is known.
  init(isActive: Bool) {
    self.isActive = isActive
  }

  /// Takes an edge and returns how many are known to be lost before it, 0 or more.
  mutating func take(_ edge: LineEdge) -> Int {
    let wasActive = isActive
    isActive = edge.kind == .activated
    suspectedLevel = nil
    if let sequence = edge.lineSequence {
      // The kernel counts a line's edges from 1 and wraps.
      let gap = sequence &- (lastSequence ?? 0) &- 1
      lastSequence = sequence
      // A "gap" of half the range is a number that went backwards, which says nothing.
      if gap > 0, gap < UInt32.max / 2 { return Int(gap) }
    }
    return isActive == wasActive ? 1 : 0
  }

  /// Compares the line's level with what the edges told, while no edges wait.
  ///
  /// An edge may be on its way from the interrupt to the queue, so a difference counts only when
  /// the next comparison still finds it and no edge has come in between.
  ///
  /// - Returns: what to do about it.
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

  /// What a comparison of the level with the edges says.
  enum Comparison: Sendable, Hashable {
    /// The level is what the last edge said.
    case agrees
    /// It is not; compare again a little later.
    case compareAgain
    /// The last edge, of this kind, never came.
    case lostEdge(LineEdge.Kind)
  }
}
