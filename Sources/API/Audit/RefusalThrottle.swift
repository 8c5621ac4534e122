import Devices

/// A throttle for the audit entries of refusals.
///
/// For each caller and status, the time between two entries doubles from a second up to about a
/// minute. Ten minutes without refusals reset it. Otherwise a caller without permission could fill
/// the log until it holds nothing but refusals. Callers known only by an address count as one,
/// because addresses cost nothing.
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
    /// The time until the next entry.
    var interval = RefusalThrottle.firstInterval
    var omitted = 0
  }

  /// The most callers and statuses that are remembered.
  static let maximumMarks = 256
  /// The time between the first two entries.
  static let firstInterval = Duration.seconds(1)
  /// The longest time between two entries.
  static let lastInterval = Duration.seconds(64)
  /// The quiet time after which the interval is the first one again.
  static let quiet = Duration.seconds(600)

  private var marks: [Key: Mark] = [:]

  /// Takes a refusal.
  ///
  /// - Returns: the number of refusals omitted since the last entry when this one is to be entered;
  ///   `nil` when this one is omitted.
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
