/// A filter that decides which failures get a line in the log.
///
/// Each failure of an item gets a line. A target that stays down gets a line at first, when the
/// reason changes, and once a minute.
struct FailureLog {
  /// The shortest time between two lines about the same reason.
  static let spacing = Duration.seconds(60)

  private struct Reason: Hashable {
    var code: DeliveryFailure.Code
    var status: Int?
  }

  private var last: (reason: Reason, instant: Duration)?
  private var unwritten = 0

  /// Decides whether a failure is written to the log.
  ///
  /// - Returns: the number of unwritten failures before this one; `nil` when this failure is not
  ///   written either.
  mutating func admit(_ failure: DeliveryFailure, at now: Duration) -> Int? {
    guard failure.scope == .target else { return 0 }
    let reason = Reason(code: failure.code, status: failure.status)
    if let last, last.reason == reason, now - last.instant < Self.spacing {
      unwritten += 1
      return nil
    }
    defer { unwritten = 0 }
    last = (reason, now)
    return unwritten
  }

  /// Notes that the target works, so that its next failure is written.
  mutating func succeeded() {
    last = nil
    unwritten = 0
  }
}
