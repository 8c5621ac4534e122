/// How many attempts may follow failures of items, so that many bad items together cannot keep a
/// target busy: a bucket of tokens, as the AWS SDKs have it since November 2026.
///
/// A retry takes `retryCost` tokens and gets them back when it succeeds; a success at the first
/// attempt brings one. An SDK with an empty bucket gives up. A queue never does, so here one retry
/// comes back with time, in every `interval`. The attempts that probe a target that is down need no
/// tokens: their waits limit them already.
public struct RetryBudget: Sendable, Hashable {
  /// The most tokens that there are, and those at the beginning.
  public let capacity: Int
  /// The tokens of a retry.
  public let retryCost: Int
  /// The time in which an empty bucket gains a retry.
  public let interval: Duration

  private var tokens: Int
  /// Since when the tokens of the next interval have been coming; `nil` while the bucket is full.
  private var gainStart: Duration?

  /// Makes a full bucket.
  public init(
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

  /// When there are tokens for a retry; not after `now` when there are already.
  func ready(at now: Duration) -> Duration {
    var later = self
    later.gain(at: now)
    guard later.tokens < retryCost, let start = later.gainStart else { return now }
    return start + interval
  }

  /// Pays a retry.
  mutating func takeRetry(at now: Duration) {
    gain(at: now)
    tokens = max(0, tokens - retryCost)
    if gainStart == nil { gainStart = now }
  }

  /// Takes in what a success brings.
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
    // More than that fill any bucket.
    let intervals = min(Int((now - start) / interval), capacity / retryCost + 1)
    tokens = min(capacity, tokens + intervals * retryCost)
    gainStart = tokens == capacity ? nil : start + interval * intervals
  }
}
