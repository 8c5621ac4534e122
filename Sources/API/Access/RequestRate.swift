public import Devices

/// How many requests each caller may make: a bucket of tokens for each, as a value.
///
/// A request takes a token; tokens come back at an even rate, up to the burst. What a caller is
/// remembered by is bounded: who would be one too many takes the place of the fullest bucket.
public struct RequestRate: Sendable {
  /// How many requests.
  public struct Limit: Sendable, Hashable {
    /// Requests a second over a longer time, above 0 and up to 1000.
    public var perSecond: Double
    /// Requests at once after a time of rest, 1 or more.
    public var burst: Int

    /// Makes a limit.
    public init(perSecond: Double = 50, burst: Int = 100) {
      self.perSecond = min(1000, max(0.001, perSecond))
      self.burst = max(1, burst)
    }
  }

  private struct Bucket {
    var tokens: Double
    var updated: MonotonicInstant
  }

  /// How many callers are remembered.
  static let maximumCallers = 256

  private let limit: Limit
  private var buckets: [Caller.Account: Bucket] = [:]

  /// Makes full buckets for all.
  public init(limit: Limit) {
    self.limit = limit
  }

  /// How many callers are remembered.
  var callerCount: Int { buckets.count }

  /// Takes a token of a caller.
  ///
  /// - Returns: `nil` when there was one, else how long it takes until there is one again.
  /// - Complexity: O(1); O(callers remembered) for a new one among too many.
  public mutating func admit(
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
