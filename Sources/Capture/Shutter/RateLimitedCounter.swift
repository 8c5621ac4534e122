import Devices

/// Counts events and reports them at most once a second, so that a storm gives few reports.
struct RateLimitedCounter: Sendable, Hashable {
  static let interval = Duration.seconds(1)

  private var pending = 0
  private var next: MonotonicInstant?

  /// The time at which ``advance(to:)`` has a report.
  var deadline: MonotonicInstant? { pending > 0 ? next : nil }

  /// Counts events; returns the pending number when a report is due now.
  mutating func add(_ count: Int, at now: MonotonicInstant) -> Int? {
    pending += count
    if let next, now < next { return nil }
    return flush(at: now)
  }

  mutating func advance(to now: MonotonicInstant) -> Int? {
    guard let deadline, deadline <= now else { return nil }
    return flush(at: now)
  }

  mutating func flush(at now: MonotonicInstant) -> Int? {
    guard pending > 0 else { return nil }
    defer { pending = 0 }
    next = now.advanced(by: Self.interval)
    return pending
  }
}
