package import Devices

/// Detects pushes and releases of a button among the raw edges of its line.
///
/// The first activating edge of a line at rest is the push, so that its kernel timestamp is the
/// moment of the press. A line is at rest when it has been quiet for the quiet time; earlier edges
/// are bounce. The button is up when its line has come to rest inactive. So a contact that flickers
/// under the finger does not end a press. A storm that never pauses is one push, or none where no
/// closure in it lasts.
///
/// A push counts once its contact has been closed for ``shortestPress`` without an edge. Its time
/// is still that of its first edge. A closure that ends sooner is a spike, as from motors and
/// relays beside a long cable.
///
/// The kernel merges edges that come too fast, and a lost edge may be the first one of a press. A
/// releasing edge of a button that was not down shows such a press. Where there is no
/// ``shortestPress``, the press counts, a few milliseconds late. Otherwise the edge belongs to a
/// spike, of which the kernel often reports no other edge: `edge_irq_thread` in
/// drivers/gpio/gpiolib-cdev.c reads the level when both of its edges have come.
package struct ContactDebouncer: Sendable, Hashable {
  /// A change of the contact after debouncing.
  package enum Change: Sendable, Hashable {
    /// The button went down.
    case down(at: MonotonicInstant)
    /// The button is down, but not by a new push: an edge of its bounce was lost.
    case held(at: MonotonicInstant)
    /// The button came up.
    case up(at: MonotonicInstant)
    /// The contact closed for less than ``shortestPress``; the time is that of its first edge.
    case spike(at: MonotonicInstant)
    /// The contact does not come to rest.
    case chatterBegan(at: MonotonicInstant)
    /// The contact has been quiet for ``chatterQuiet``.
    case chatterEnded(at: MonotonicInstant)
  }

  /// The number of edges within a second.
  private struct Second: Sendable, Hashable {
    var start: MonotonicInstant
    var edges: Int
  }

  /// The maximum number of edges in a second by hand: twelve pushes with sixteen edges are fewer.
  package static let chatterEdges = 250
  /// The time that a line must be quiet for its chatter to end.
  package static let chatterQuiet = Duration.seconds(1)

  /// Returns the time a line may be restless before it chatters: 250 ms, or three quiet times.
  package static func longestUnrest(quietTime: Duration) -> Duration {
    max(.milliseconds(250), quietTime * 3)
  }

  /// The time that the line must be quiet to be at rest; zero takes every activating edge.
  package let quietTime: Duration
  /// The time that the contact must be closed for a press; zero for any time.
  package let shortestPress: Duration
  /// The first edge of a possible push.
  private var candidate: MonotonicInstant?
  /// The first edge of the last spike, while edges of its bounce may still be unread.
  private var spike: MonotonicInstant?
  /// The time since which the contact has been closed; `nil` while it is open.
  private var closedSince: MonotonicInstant?
  private var isDown: Bool
  private var level: Bool
  private var awaitsRelease: Bool
  private var lastEdge: MonotonicInstant?
  private var restlessSince: MonotonicInstant?
  private var second: Second?
  /// Whether the contact chatters.
  package private(set) var isChattering = false

  /// Makes a debouncer for a line on which no edge has been seen yet.
  ///
  /// - Parameters:
  ///   - quietTime: the time that the line must be quiet to be at rest.
  ///   - shortestPress: the time that the contact must be closed for a press.
  ///   - isActiveAtStart: whether the button was down when the watch began.
  package init(
    quietTime: Duration, shortestPress: Duration = .zero, isActiveAtStart: Bool = false
  ) {
    self.quietTime = quietTime
    self.shortestPress = shortestPress
    isDown = isActiveAtStart
    level = isActiveAtStart
    awaitsRelease = isActiveAtStart
  }

  /// Takes the next edge of the line; an edge before the previous one counts as bounce.
  package mutating func take(_ edge: LineEdge) -> [Change] {
    let time = max(edge.time, lastEdge ?? edge.time)
    var changes = advance(to: time)
    let wasAtRest = isAtRest(at: time)
    lastEdge = time
    if wasAtRest { (restlessSince, spike) = (time, nil) }
    level = edge.kind == .activated
    closedSince = level ? time : nil
    if wasAtRest { changes += takeAtRest(edge.kind, isInferred: edge.isInferred, at: time) }
    // A busy machine read the edge after the time had decided: the spike was a push's first bounce.
    if level, !isDown, let spike { (candidate, self.spike, awaitsRelease) = (spike, nil, true) }
    if let change = count(1, at: time) { changes.append(change) }
    return changes + settle(at: time)
  }

  /// Takes lost edges; they count only as chatter.
  package mutating func lose(_ count: Int, at time: MonotonicInstant) -> [Change] {
    var changes = advance(to: time)
    if let change = self.count(count, at: time) { changes.append(change) }
    return changes
  }

  /// Returns the changes that have settled by an instant.
  package mutating func advance(to now: MonotonicInstant) -> [Change] {
    var changes = settle(at: now)
    if isChattering, let lastEdge, lastEdge.duration(to: now) >= Self.chatterQuiet {
      isChattering = false
      changes.append(.chatterEnded(at: lastEdge.advanced(by: Self.chatterQuiet)))
    }
    return changes
  }

  /// The time at which ``advance(to:)`` has changes; `nil` for never without a further edge.
  package var deadline: MonotonicInstant? {
    guard let lastEdge else { return nil }
    if candidate != nil {
      return closedSince?.advanced(by: shortestPress) ?? lastEdge.advanced(by: quietTime)
    }
    if level != isDown { return lastEdge.advanced(by: quietTime) }
    return isChattering ? lastEdge.advanced(by: Self.chatterQuiet) : nil
  }

  /// The time at which the line comes, or came, to rest.
  package var restsAt: MonotonicInstant? {
    guard let rest = lastEdge?.advanced(by: quietTime) else { return nil }
    return candidate == nil ? rest : deadline.map { max($0, rest) }
  }

  /// Returns the time until which the contact is known, once ``advance(to:)`` got `now`.
  package func certain(at now: MonotonicInstant) -> MonotonicInstant {
    if let candidate { return min(now, candidate) }
    return isAtRest(at: now) ? now : min(now, lastEdge ?? now)
  }

  private func isAtRest(at time: MonotonicInstant) -> Bool {
    lastEdge.map { $0.duration(to: time) >= quietTime } ?? true
  }

  private mutating func takeAtRest(
    _ kind: LineEdge.Kind, isInferred: Bool, at time: MonotonicInstant
  ) -> [Change] {
    let awaitedRelease = awaitsRelease
    awaitsRelease = kind == .activated
    switch (kind, isDown) {
    case (.activated, false):
      // An inferred edge of a button without a seen release is the end of its bounce.
      guard !isInferred || !awaitedRelease else {
        isDown = true
        return [.held(at: time)]
      }
      return push(at: time)
    case (.activated, true):
      // The release was lost, unless the activating edge was only inferred.
      guard !isInferred else { return [] }
      isDown = false
      return [.up(at: time)] + push(at: time)
    case (.deactivated, false):
      guard !awaitedRelease else { return [] }
      let pushed = push(at: time)
      awaitsRelease = isDown
      return pushed
    case (.deactivated, true): return []
    }
  }

  private mutating func push(at time: MonotonicInstant) -> [Change] {
    guard shortestPress <= .zero else {
      candidate = time
      return []
    }
    isDown = true
    return [.down(at: time)]
  }

  /// Decides whether a possible push is one.
  private mutating func settle(
    candidate began: MonotonicInstant, at now: MonotonicInstant
  ) -> [Change] {
    if let closedSince {
      guard closedSince.duration(to: now) >= shortestPress else { return [] }
      (candidate, isDown) = (nil, true)
      return [.down(at: began)]
    }
    guard isAtRest(at: now) else { return [] }
    (candidate, spike) = (nil, began)
    awaitsRelease = false
    return [.spike(at: began)]
  }

  private mutating func settle(at now: MonotonicInstant) -> [Change] {
    if let candidate { return settle(candidate: candidate, at: now) }
    guard level != isDown, let lastEdge, isAtRest(at: now) else { return [] }
    isDown = level
    return [level ? .held(at: lastEdge) : .up(at: lastEdge)]
  }

  private mutating func count(_ edges: Int, at time: MonotonicInstant) -> Change? {
    if let second, second.start.duration(to: time) < .seconds(1) {
      self.second?.edges += edges
    } else {
      second = Second(start: time, edges: edges)
    }
    let unrest = restlessSince.map { $0.duration(to: time) } ?? .zero
    guard !isChattering,
      unrest > Self.longestUnrest(quietTime: quietTime)
        || (second?.edges ?? 0) > Self.chatterEdges
    else { return nil }
    isChattering = true
    // Chatter ends by quiet, even when all of its edges were lost.
    lastEdge = max(lastEdge ?? time, time)
    return .chatterBegan(at: time)
  }
}
