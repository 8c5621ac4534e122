import API
import Devices
import Synchronization

/// A time limit for questions to a disk that may hang.
///
/// While a question is overdue, all other questions are refused at once, so that none pile up. An
/// unanswered question may still be carried out when the disk responds again.
final class DiskTimeout: Sendable {
  private struct State {
    var next = 0
    var unanswered: [Int: MonotonicInstant] = [:]
  }

  private let limit: Duration
  /// The error message after a timeout.
  private let refusal: String
  private let state = Mutex(State())

  /// Makes the time limit for one disk.
  ///
  /// - Parameters:
  ///   - limit: the time after which a question is overdue.
  ///   - refusal: a sentence that names the missing answer and its consequence.
  init(_ limit: Duration = .seconds(5), refusal: String) {
    self.limit = limit
    self.refusal = refusal
  }

  /// Asks a question and waits for the answer, even in a canceled task.
  ///
  /// - Parameter limit: the time to wait, if it is shorter than this object's limit.
  /// - Throws: ``API/APIError``: `unavailable` after a timeout; the question's own error.
  func ask<Value: Sendable>(
    within limit: Duration? = nil, _ clock: any MonotonicClock,
    _ question: @escaping @Sendable () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    guard let number = begin(at: clock.now) else { throw APIError(.unavailable, refusal) }
    let timeout = min(limit ?? self.limit, self.limit)
    // The task is separate: cancellation of the caller's task would look like a disk that hangs.
    let result = await Task {
      await answer(within: timeout, clock) { [self] () async -> Result<Value, APIError>? in
        defer { end(number) }
        do throws(APIError) {
          return .success(try await question())
        } catch {
          return .failure(error)
        }
      }
    }.value
    guard let result else { throw APIError(.unavailable, refusal) }
    return try result.get()
  }

  private func begin(at now: MonotonicInstant) -> Int? {
    state.withLock { state in
      guard !state.unanswered.values.contains(where: { $0.duration(to: now) >= limit }) else {
        return nil
      }
      state.next += 1
      state.unanswered[state.next] = now
      return state.next
    }
  }

  private func end(_ number: Int) {
    state.withLock { $0.unanswered[number] = nil }
  }
}
