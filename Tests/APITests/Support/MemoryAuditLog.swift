import API
import Synchronization

/// An audit log in memory that fails when a test wants it to.
final class MemoryAuditLog: AuditLog {
  private struct State {
    var notes: [AuditNote] = []
    var isFailing: @Sendable (AuditNote) -> Bool = { _ in false }
    var instant: Int64 = 0
  }

  private let state = Mutex(State())
  /// Tells of each note before it is entered.
  let asked: AsyncStream<AuditNote>
  private let askedContinuation: AsyncStream<AuditNote>.Continuation
  /// Holds entries back until it is finished; `nil` lets them go at once.
  private let gate: AsyncStream<Void>?

  init(gate: AsyncStream<Void>? = nil) {
    self.gate = gate
    (asked, askedContinuation) = AsyncStream.makeStream(of: AuditNote.self)
  }

  /// The entered notes, in order.
  var notes: [AuditNote] { state.withLock { $0.notes } }

  /// Fails for some notes from now on.
  func fail(_ condition: @escaping @Sendable (AuditNote) -> Bool) {
    state.withLock { $0.isFailing = condition }
  }

  func enter(_ note: AuditNote) async throws(APIError) {
    askedContinuation.yield(note)
    if let gate { for await _ in gate {} }
    let isEntered = state.withLock { state in
      if state.isFailing(note) { return false }
      state.notes.append(note)
      return true
    }
    guard isEntered else { throw APIError(.unavailable, "The audit log cannot be written.") }
  }

  func entries(limit: Int) async throws(APIError) -> [AuditEntry] {
    notes.suffix(limit).reversed().map { note in
      AuditEntry(
        time: "2026-11-21T10:00:00.000Z", trust: "synchronized", bootID: "b",
        monotonicNanoseconds: 5, note: note)
    }
  }
}
