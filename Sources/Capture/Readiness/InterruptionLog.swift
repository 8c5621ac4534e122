public import Devices

/// An interruption with its beginning, its cause and its end.
///
/// A warning is one that refuses no press.
public struct Interruption: Sendable, Hashable {
  /// Why.
  public var reason: InterruptionReason
  /// When it began.
  public var beganAt: MonotonicInstant
  /// When it ended; `nil` while it lasts.
  public var endedAt: MonotonicInstant?
  /// The cause in words, as the part that failed said it; `nil` when it said nothing.
  public var cause: String?
  /// Whether presses are refused while it lasts.
  public var refuses: Bool

  /// Makes an interruption that lasts.
  public init(
    reason: InterruptionReason, beganAt: MonotonicInstant, cause: String? = nil,
    refuses: Bool = true
  ) {
    self.refuses = refuses
    self.reason = reason
    self.beganAt = beganAt
    self.cause = cause
  }
}

/// The interruptions and warnings of a run: those that last, and the newest of the others.
///
/// The same reason may be there twice, as an interruption and as a warning.
public struct InterruptionLog: Sendable, Hashable {
  /// How many ended interruptions are kept.
  public let limit: Int
  /// Interruptions that last, the oldest first.
  public private(set) var lasting: [Interruption] = []
  /// Interruptions that have ended, the newest last.
  public private(set) var ended: [Interruption] = []

  /// Makes an empty log.
  public init(limit: Int = 100) {
    self.limit = limit
  }

  /// Notes a beginning; of an interruption that lasts already only the cause is brought up to date.
  ///
  /// - Returns: the interruption when it is new.
  public mutating func begin(
    _ reason: InterruptionReason, cause: String?, refuses: Bool = true, at now: MonotonicInstant
  ) -> Interruption? {
    if let index = index(of: reason, refuses) {
      if let cause { lasting[index].cause = cause }
      return nil
    }
    let interruption = Interruption(
      reason: reason, beganAt: now, cause: cause, refuses: refuses)
    lasting.append(interruption)
    return interruption
  }

  /// Notes an end.
  ///
  /// - Returns: the interruption when it lasted.
  public mutating func end(
    _ reason: InterruptionReason, refuses: Bool = true, at now: MonotonicInstant
  ) -> Interruption? {
    guard let index = index(of: reason, refuses) else { return nil }
    var interruption = lasting.remove(at: index)
    interruption.endedAt = max(now, interruption.beganAt)
    ended.append(interruption)
    if ended.count > limit { ended.removeFirst(ended.count - limit) }
    return interruption
  }

  private func index(of reason: InterruptionReason, _ refuses: Bool) -> Int? {
    lasting.firstIndex { $0.reason == reason && $0.refuses == refuses }
  }
}
