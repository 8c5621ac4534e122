import Devices

/// Which refusals are entered into the audit log: for each caller and status one after a second, then
/// one after twice the time, up to about a minute, until there were none for a while.
///
/// Who may do nothing could otherwise fill the log with refusals until nothing else is left in it.
/// Callers of whom nothing but an address is known count as one: addresses cost nothing.
struct RefusalThrottle: Sendable {
  private struct Key: Hashable {
    let account: Caller.Account
    let status: Int

    init(_ account: Caller.Account, _ status: Int) {
      if case .address = account { self.account = .unknown } else { self.account = account }
      self.status = status
    }
  }

  private struct Mark {
    var entered: MonotonicInstant
    /// Until another one is entered.
    var interval = RefusalThrottle.firstInterval
    var omitted = 0
  }

  /// How many callers and statuses are remembered.
  static let maximumMarks = 256
  /// The time between the first two entries.
  static let firstInterval = Duration.seconds(1)
  /// The longest time between two entries.
  static let lastInterval = Duration.seconds(64)
  /// After which a caller begins anew.
  static let quiet = Duration.seconds(600)

  private var marks: [Key: Mark] = [:]

  /// Takes a refusal.
  ///
  /// - Returns: how many were left out since the last one that was entered, for one that is to be
  ///   entered; `nil` for one that is left out.
  mutating func take(_ account: Caller.Account, status: Int, at now: MonotonicInstant) -> Int? {
    let key = Key(account, status)
    guard let mark = marks[key] else {
      if marks.count >= Self.maximumMarks,
        let oldest = marks.min(by: { $0.value.entered < $1.value.entered })
      {
        marks[oldest.key] = nil
      }
      marks[key] = Mark(entered: now)
      return 0
    }
    let elapsed = mark.entered.duration(to: now)
    guard elapsed >= mark.interval else {
      marks[key]?.omitted += 1
      return nil
    }
    marks[key] = Mark(
      entered: now,
      interval: elapsed >= Self.quiet
        ? Self.firstInterval : min(mark.interval * 2, Self.lastInterval))
    return mark.omitted
  }
}
