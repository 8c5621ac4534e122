/// A limit for retries of items: a token bucket, as in the AWS SDKs since November 2026.
///
/// The limit prevents many bad items together from keeping a target busy.
///
/// A retry takes ``retryCost`` tokens and returns them when it succeeds; a success at the first
/// attempt adds one token. With an empty bucket an SDK gives up. A queue never gives up, so the
/// bucket also gains the tokens of one retry per ``interval``. Probes of a target that is down need
/// no tokens, as their waits already limit them.
package struct RetryBudget: Sendable, Hashable {
  /// The maximum number of tokens, which is also the number at the beginning.
  static let capacity = 500
  /// The number of tokens that a retry takes.
  static let retryCost = 14
  /// The time in which the bucket gains the tokens of a retry.
  package let interval: Duration

  private var tokens = capacity
  /// The start of the current interval; `nil` while the bucket is full.
  private var gainStart: Duration?

  package init(interval: Duration = .seconds(60)) {
    precondition(interval > .zero, "the bucket would gain tokens without end")
    self.interval = interval
  }

  /// Returns the instant from which there are tokens for a retry; `now` if there are already.
  func ready(at now: Duration) -> Duration {
    var later = self
    later.gain(at: now)
    guard later.tokens < Self.retryCost, let start = later.gainStart else { return now }
    return start + interval
  }

  /// Takes the tokens of a retry.
  mutating func takeRetry(at now: Duration) {
    gain(at: now)
    tokens = max(0, tokens - Self.retryCost)
    if gainStart == nil { gainStart = now }
  }

  /// Adds the tokens that a success brings.
  mutating func succeeded(wasRetry: Bool) {
    tokens = min(Self.capacity, tokens + (wasRetry ? Self.retryCost : 1))
    if tokens == Self.capacity { gainStart = nil }
  }

  /// Fills the bucket.
  mutating func refill() {
    tokens = Self.capacity
    gainStart = nil
  }

  private mutating func gain(at now: Duration) {
    guard let start = gainStart, now > start else { return }
    // More intervals than that fill any bucket.
    let intervals = min(Int((now - start) / interval), Self.capacity / Self.retryCost + 1)
    tokens = min(Self.capacity, tokens + intervals * Self.retryCost)
    gainStart = tokens == Self.capacity ? nil : start + interval * intervals
  }
}
