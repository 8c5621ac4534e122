import API
import Devices
import Synchronization

/// Asks what waits for a disk that may hang, and answers after a while that there is no answer.
///
/// While a question is overdue all others are refused at once, so that none pile up behind it. What
/// was asked may still be done when the disk goes on.
final class Patience: Sendable {
  private struct State {
    var next = 0
    var unanswered: [Int: MonotonicInstant] = [:]
  }

  private let limit: Duration
  /// What is said in place of an answer.
  private let refusal: String
  private let state = Mutex(State())

  /// Makes the patience with one disk.
  ///
  /// - Parameters:
  ///   - limit: after which a question is overdue.
  ///   - refusal: a sentence that says what is not answered, and what follows.
  init(_ limit: Duration = .seconds(5), refusal: String) {
    self.limit = limit
    self.refusal = refusal
  }

  /// Asks, and waits for the answer also in a task that is cancelled.
  ///
  /// - Parameter limit: how long to wait, where that is less than the patience.
  /// - Throws: ``API/APIError``: `unavailable` when there is no answer; what the question throws.
  func ask<Value: Sendable>(
    within limit: Duration? = nil, _ clock: any MonotonicClock,
    _ question: @escaping @Sendable () async throws(APIError) -> Value
  ) async throws(APIError) -> Value {
    guard let number = begin(at: clock.now) else { throw APIError(.unavailable, refusal) }
    let patience = min(limit ?? self.limit, self.limit)
    // In a task of its own: whoever is cancelled would take that for a disk that does not answer.
    let result = await Task {
      await answer(within: patience, clock) { [self] () async -> Result<Value, APIError>? in
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
