/// Decides which failures are worth a line in the log.
///
/// Each failure of an item is; a target that stays down gets a line when it goes down, when the
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

  /// Whether a failure is to be written.
  ///
  /// - Returns: the number of failures before it that were not; `nil` when it is not either.
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

  /// The target works: its next failure is news.
  mutating func succeeded() {
    last = nil
    unwritten = 0
  }
}
