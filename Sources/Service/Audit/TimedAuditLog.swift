import API
import Devices
import Synchronization

/// An audit log with a time limit for a disk that may hang; after a timeout, nothing is done.
struct TimedAuditLog: AuditLog {
  /// The time that an entry may take.
  static let limit = Duration.seconds(5)

  private let log: any AuditLog
  private let clock: any MonotonicClock
  private let timeout = DiskTimeout(
    limit,
    refusal: "Nothing is done that cannot be entered into the audit log: its disk does not answer.")

  /// Wraps another log.
  ///
  /// - Parameter clock: the clock that measures the time limit.
  init(_ log: any AuditLog, clock: any MonotonicClock) {
    self.log = log
    self.clock = clock
  }

  func enter(_ note: AuditNote) async throws(APIError) {
    try await timeout.ask(clock) { [log] () throws(APIError) in try await log.enter(note) }
  }

  func enter(_ note: AuditNote, withdrawal: AuditNote) async throws(APIError) {
    let fate = Mutex(Fate.open)
    do throws(APIError) {
      try await timeout.ask(clock) { [log] () throws(APIError) in
        try await log.enter(note)
        if fate.withLock({ $0.enter() }) { try await log.enter(withdrawal) }
      }
    } catch {
      if fate.withLock({ $0.giveUp() }) { Task { [log] in try? await log.enter(withdrawal) } }
      throw error
    }
  }

  /// The state of a note: the later of its entry and its timeout writes the withdrawal.
  private enum Fate {
    case open, entered, givenUp

    mutating func enter() -> Bool {
      defer { self = .entered }
      return self == .givenUp
    }

    mutating func giveUp() -> Bool {
      defer { self = .givenUp }
      return self == .entered
    }
  }

  func entries(limit: Int) async throws(APIError) -> [AuditEntry] {
    try await timeout.ask(clock) { [log] () throws(APIError) in
      try await log.entries(limit: limit)
    }
  }
}
