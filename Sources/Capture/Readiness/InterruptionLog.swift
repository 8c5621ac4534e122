package import Devices

/// An interruption with its beginning, its cause and its end.
///
/// A warning is an entry that refuses no press.
package struct Interruption: Sendable, Hashable {
  /// The reason.
  package var reason: InterruptionReason
  /// The time of the beginning.
  package var beganAt: MonotonicInstant
  /// The time of the end; `nil` while it lasts.
  package var endedAt: MonotonicInstant?
  /// The cause in words, from the part that failed; `nil` when it gave none.
  package var cause: String?
  /// Whether presses are refused while the interruption lasts.
  package var refuses = true
}

/// The interruptions and warnings of a run: the lasting ones, and the newest ended ones.
///
/// The same reason may be present twice, as an interruption and as a warning.
package struct InterruptionLog: Sendable, Hashable {
  /// The maximum number of ended interruptions kept.
  package let limit: Int
  /// The lasting interruptions, the oldest first.
  package private(set) var lasting: [Interruption] = []
  /// The ended interruptions, the newest last.
  package private(set) var ended: [Interruption] = []

  package init(limit: Int = 100) {
    self.limit = limit
  }

  /// Notes a beginning; updates only the cause of an interruption that already lasts.
  ///
  /// - Returns: the interruption when it is new.
  package mutating func begin(
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
  package mutating func end(
    _ reason: InterruptionReason, refuses: Bool = true, at now: MonotonicInstant
  ) -> Interruption? {
    guard let index = index(of: reason, refuses) else { return nil }
    var interruption = lasting.remove(at: index)
    interruption.endedAt = max(now, interruption.beganAt)
    ended.append(interruption)
    if ended.count > limit { ended.removeFirst(ended.count - limit) }
    return interruption
  }

  /// Returns the reasons of the lasting interruptions, or of the lasting warnings.
  package func lastingReasons(refusing refuses: Bool) -> Set<InterruptionReason> {
    Set(lasting.lazy.filter { $0.refuses == refuses }.map(\.reason))
  }

  private func index(of reason: InterruptionReason, _ refuses: Bool) -> Int? {
    lasting.firstIndex { $0.reason == reason && $0.refuses == refuses }
  }
}
