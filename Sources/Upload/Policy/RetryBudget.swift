/// A limit for retries of items: a token bucket, as in the AWS SDKs since November 2026.
///
/// The limit prevents many bad items together from keeping a target busy.
///
/// A retry takes `retryCost` tokens and returns them when it succeeds; a success at the first
/// attempt adds one token. With an empty bucket an SDK gives up. A queue never gives up, so the
/// bucket also gains the tokens of one retry per `interval`. Probes of a target that is down need
/// no tokens, as their waits already limit them.
package struct RetryBudget: Sendable, Hashable {
  /// The maximum number of tokens, which is also the number at the beginning.
  package let capacity: Int
  /// The number of tokens that a retry takes.
  package let retryCost: Int
  /// The time in which the bucket gains the tokens of a retry.
  package let interval: Duration

  private var tokens: Int
  /// The start of the current interval; `nil` while the bucket is full.
  private var gainStart: Duration?

  package init(
    capacity: Int = 500, retryCost: Int = 14, interval: Duration = .seconds(60)
  ) {
    precondition(
      retryCost > 0 && capacity >= retryCost && interval > .zero,
      "\(capacity) tokens cannot pay a retry of \(retryCost)")
    self.capacity = capacity
    self.retryCost = retryCost
    self.interval = interval
    tokens = capacity
  }

  /// Returns the instant from which there are tokens for a retry; `now` if there are already.
  func ready(at now: Duration) -> Duration {
    var later = self
    later.gain(at: now)
    guard later.tokens < retryCost, let start = later.gainStart else { return now }
    return start + interval
  }

  /// Takes the tokens of a retry.
  mutating func takeRetry(at now: Duration) {
    gain(at: now)
    tokens = max(0, tokens - retryCost)
    if gainStart == nil { gainStart = now }
  }

  /// Adds the tokens that a success brings.
  mutating func succeeded(wasRetry: Bool) {
    tokens = min(capacity, tokens + (wasRetry ? retryCost : 1))
    if tokens == capacity { gainStart = nil }
  }

  /// Fills the bucket.
  mutating func refill() {
    tokens = capacity
    gainStart = nil
  }

  private mutating func gain(at now: Duration) {
    guard let start = gainStart, now > start else { return }
    // More intervals than that fill any bucket.
    let intervals = min(Int((now - start) / interval), capacity / retryCost + 1)
    tokens = min(capacity, tokens + intervals * retryCost)
    gainStart = tokens == capacity ? nil : start + interval * intervals
  }
}
