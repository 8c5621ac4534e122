/// How long to wait before the next attempt: exponential back-off with full jitter.
///
/// The wait is drawn from zero to `base × 2ⁿ⁻¹` after the `n`-th failure in a row, at most `cap`,
/// and at least `minimum`. What a server asks for in `Retry-After` is a further minimum, with a
/// jitter of up to `base` on top so that a fleet does not come back in one instant.
public struct RetryPolicy: Sendable, Hashable {
  /// The upper end of the first wait.
  public var base: Duration
  /// The same for a target that asks for fewer requests.
  public var throttledBase: Duration
  /// The longest wait that we choose ourselves.
  public var cap: Duration
  /// The longest wait that we choose ourselves when the target wants other credentials, so that
  /// changed ones are used that soon.
  public var unauthorizedCap: Duration
  /// The shortest wait.
  public var minimum: Duration
  /// The longest wait that a server may ask for.
  public var maximumRetryAfter: Duration

  /// Makes a policy; the defaults suit servers in the field.
  public init(
    base: Duration = .seconds(1), throttledBase: Duration = .seconds(5),
    cap: Duration = .seconds(300), unauthorizedCap: Duration = .seconds(60),
    minimum: Duration = .seconds(1), maximumRetryAfter: Duration = .seconds(3600)
  ) {
    self.base = base
    self.throttledBase = throttledBase
    self.cap = cap
    self.unauthorizedCap = unauthorizedCap
    self.minimum = minimum
    self.maximumRetryAfter = maximumRetryAfter
  }

  /// Returns the wait after a failure.
  ///
  /// - Parameters:
  ///   - failures: the failures in a row, this one included; 1 or more.
  ///   - failure: the last of them.
  ///   - random: a number from 0 to 1 drawn for this wait.
  public func wait(afterFailures failures: Int, _ failure: DeliveryFailure, random: Double)
    -> Duration
  {
    precondition(failures >= 1, "a wait follows a failure, not \(failures)")
    let fraction = min(max(random, 0), 1)
    let first = failure.code == .throttled ? throttledBase : base
    let cap = failure.code == .unauthorized ? min(cap, unauthorizedCap) : cap
    // 2⁴⁰ seconds are over any cap; beyond it the multiplication would overflow one day.
    let ceiling = min(cap, first * (Int64(1) << Int64(min(failures - 1, 40))))
    let own = max(minimum, ceiling * fraction)
    guard let asked = failure.retryAfter, asked > .zero else { return own }
    return max(own, min(asked, maximumRetryAfter) + first * fraction)
  }
}
