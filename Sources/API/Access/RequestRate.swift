package import Devices

/// The rate of requests of each caller: a bucket of tokens for each, as a value.
///
/// A request takes a token. Tokens come back at an even rate, up to the burst. The number of
/// buckets is limited: a caller beyond the limit replaces the fullest bucket.
package struct RequestRate: Sendable {
  /// The limit of a caller's requests.
  package struct Limit: Sendable, Hashable {
    /// The requests a second over a longer time, above 0 and up to 1000.
    package var perSecond: Double
    /// The requests at once after a time of rest, 1 or more.
    package var burst: Int

    package init(perSecond: Double = 50, burst: Int = 100) {
      self.perSecond = min(1000, max(0.001, perSecond))
      self.burst = max(1, burst)
    }
  }

  private struct Bucket {
    var tokens: Double
    var updated: MonotonicInstant
  }

  /// The most callers that are remembered.
  static let maximumCallers = 256

  private let limit: Limit
  private var buckets: [Caller.Account: Bucket] = [:]

  /// Makes full buckets for all callers.
  package init(limit: Limit) {
    self.limit = limit
  }

  /// The number of remembered callers.
  var callerCount: Int { buckets.count }

  /// Takes a token of a caller.
  ///
  /// - Returns: `nil` when there was a token, else the time until there is one again.
  /// - Complexity: O(1); O(callers remembered) for a new one among too many.
  package mutating func admit(
    _ account: Caller.Account, at now: MonotonicInstant
  ) -> Duration? {
    var tokens = buckets[account].map { self.tokens(of: $0, at: now) } ?? Double(limit.burst)
    if buckets[account] == nil, buckets.count >= Self.maximumCallers { forgetFullest(at: now) }
    defer { buckets[account] = Bucket(tokens: tokens, updated: now) }
    guard tokens >= 1 else { return .seconds((1 - tokens) / limit.perSecond) }
    tokens -= 1
    return nil
  }

  private func tokens(of bucket: Bucket, at now: MonotonicInstant) -> Double {
    let seconds = bucket.updated.duration(to: now).inMilliseconds / 1000
    return min(Double(limit.burst), bucket.tokens + max(0, seconds) * limit.perSecond)
  }

  private mutating func forgetFullest(at now: MonotonicInstant) {
    let fullest = buckets.max { tokens(of: $0.value, at: now) < tokens(of: $1.value, at: now) }
    if let fullest { buckets[fullest.key] = nil }
  }
}
