/// The waits before retries: exponential back-off with full jitter.
///
/// The wait is drawn from zero to `base × 2ⁿ⁻¹` after the `n`-th failure in a row, at most `cap`,
/// and at least `minimum`. A server's `Retry-After` is a further minimum. A jitter of up to `base`
/// is added to that minimum, so that a fleet does not return in one instant.
package struct RetryPolicy: Sendable, Hashable {
  /// The upper end of the first wait.
  package var base: Duration
  /// The upper end of the first wait for a target that asks for fewer requests.
  package var throttledBase = Duration.seconds(5)
  /// The longest wait that we choose ourselves.
  package var cap = Duration.seconds(300)
  /// The longest wait that we choose ourselves when the target wants other credentials.
  ///
  /// Changed credentials are used within this time.
  package var unauthorizedCap = Duration.seconds(60)
  /// The shortest wait.
  package var minimum = Duration.seconds(1)
  /// The longest wait that a server may ask for.
  package var maximumRetryAfter = Duration.seconds(3600)

  /// Makes a policy; the defaults suit servers in the field.
  package init(base: Duration = .seconds(1)) { self.base = base }

  /// Returns the wait after a failure.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, including this failure; 1 or more.
  ///   - failure: the last failure.
  ///   - random: a number from 0 to 1 drawn for this wait.
  package func wait(afterFailures failures: Int, _ failure: DeliveryFailure, random: Double)
    -> Duration
  {
    precondition(failures >= 1, "a wait follows a failure, not \(failures)")
    let fraction = min(max(random, 0), 1)
    let first = failure.code == .throttled ? throttledBase : base
    let cap = failure.code == .unauthorized ? min(cap, unauthorizedCap) : cap
    // 2⁴⁰ seconds exceed any cap, and larger factors would overflow in the end.
    let ceiling = min(cap, first * (Int64(1) << Int64(min(failures - 1, 40))))
    let own = max(minimum, ceiling * fraction)
    guard let asked = failure.retryAfter, asked > .zero else { return own }
    return max(own, min(asked, maximumRetryAfter) + first * fraction)
  }
}
