import Devices

/// Counts lost edges and tells of them at most once a second, so that a storm is no flood of news.
struct LostEdgeCount: Sendable, Hashable {
  static let interval = Duration.seconds(1)

  private var pending = 0
  private var next: MonotonicInstant?

  /// When ``advance(to:)`` has something to say.
  var deadline: MonotonicInstant? { pending > 0 ? next : nil }

  mutating func add(_ count: Int, at now: MonotonicInstant) -> ButtonEvent? {
    pending += count
    if let next, now < next { return nil }
    return flush(at: now)
  }

  mutating func advance(to now: MonotonicInstant) -> ButtonEvent? {
    guard let deadline, deadline <= now else { return nil }
    return flush(at: now)
  }

  mutating func flush(at now: MonotonicInstant) -> ButtonEvent? {
    guard pending > 0 else { return nil }
    defer { pending = 0 }
    next = now.advanced(by: Self.interval)
    return .lostEdges(count: pending, at: now)
  }
}
