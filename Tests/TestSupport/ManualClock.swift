package import Devices
import Synchronization

/// A monotonic clock that stands still until a call moves it.
///
/// Tests with this clock never wait in real time. A move of the clock wakes every sleeper whose
/// deadline has come, the earliest first. ``untilSleepers(_:)`` reports that the code under test
/// has come to rest, and ``run(for:sleepers:)`` moves from deadline to deadline in that way.
package final class ManualClock: MonotonicClock {
  private struct Sleeper {
    var id: UInt64
    var deadline: MonotonicInstant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    var id: UInt64
    var isSatisfied: @Sendable ([Sleeper]) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: MonotonicInstant
    var nextID: UInt64 = 0
    /// The sleepers, ascending by deadline, then by the order of arrival.
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// The sleeps that were canceled before their start.
    var cancelledEarly: Set<UInt64> = []

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }

    mutating func takeDue() -> [Sleeper] {
      let due = sleepers.prefix { $0.deadline <= now }
      sleepers.removeFirst(due.count)
      return Array(due)
    }

    mutating func takeSatisfiedWatchers() -> [Watcher] {
      let satisfied = watchers.filter { $0.isSatisfied(sleepers) }
      watchers.removeAll { $0.isSatisfied(sleepers) }
      return satisfied
    }
  }

  private let state: Mutex<State>

  /// Makes a clock that shows an instant, by default one hour after boot.
  package init(now: MonotonicInstant = MonotonicInstant(nanoseconds: 3_600_000_000_000)) {
    state = Mutex(State(now: now))
  }

  /// The instant that the clock shows.
  package var now: MonotonicInstant { state.withLock { $0.now } }

  /// The number of tasks that sleep on the clock.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The earliest deadline of a sleeping task; `nil` when no task sleeps.
  package var nextDeadline: MonotonicInstant? { state.withLock { $0.sleepers.first?.deadline } }

  /// Moves the clock and wakes every task whose deadline has come, the earliest first.
  ///
  /// - Parameter duration: the duration of the move, zero or more.
  package func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to an instant, never back, and wakes every task whose deadline has come.
  package func advance(to instant: MonotonicInstant) {
    let (due, satisfied) = state.withLock { state in
      state.now = max(state.now, instant)
      return (state.takeDue(), state.takeSatisfiedWatchers())
    }
    for sleeper in due { sleeper.continuation.resume() }
    for watcher in satisfied { watcher.continuation.resume() }
  }

  /// Moves through a duration from deadline to deadline.
  ///
  /// Before each move the call waits until `sleepers` tasks sleep. So the work of one deadline is
  /// done before the next deadline comes. At the end all tasks sleep beyond the last instant.
  ///
  /// - Parameters:
  ///   - duration: the duration of the move, zero or more.
  ///   - sleepers: the number of loops of the code under test that always return to sleep.
  package func run(for duration: Duration, sleepers: Int = 1) async {
    let end = now.advanced(by: duration)
    while true {
      await untilSleepers(sleepers)
      guard let next = nextDeadline, next <= end else { break }
      advance(to: next)
    }
    advance(to: end)
  }

  /// Waits until at least this number of tasks sleeps on the clock, or the caller is canceled.
  package func untilSleepers(_ count: Int) async {
    await untilSleepers { $0.count >= count }
  }

  /// Waits until the earliest deadline of the sleeping tasks is this instant, or the caller is
  /// canceled.
  package func untilNextDeadline(is instant: MonotonicInstant) async {
    await untilSleepers { $0.first?.deadline == instant }
  }

  private func untilSleepers(_ isSatisfied: @escaping @Sendable ([Sleeper]) -> Bool) async {
    let id = state.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watcher = Watcher(id: id, isSatisfied: isSatisfied, continuation: continuation)
        let satisfied = state.withLock { state in
          // The cancellation is looked at under the lock, so that its handler finds the watcher.
          guard !Task.isCancelled else { return [watcher] }
          state.watchers.append(watcher)
          return state.takeSatisfiedWatchers()
        }
        for watcher in satisfied { watcher.continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
      }
      watcher?.continuation.resume()
    }
  }

  /// Waits until the clock shows an instant; returns at once when the instant has passed.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  package func sleep(until instant: MonotonicInstant) async throws {
    try Task.checkCancellation()
    let id = state.withLock { $0.makeID() }
    defer { state.withLock { _ = $0.cancelledEarly.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(Sleeper(id: id, deadline: instant, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func enqueue(_ sleeper: Sleeper) {
    enum Outcome { case slept([Watcher]), due, cancelled }
    let outcome: Outcome = state.withLock { state in
      if state.cancelledEarly.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.deadline <= state.now { return .due }
      let index = state.sleepers.firstIndex { $0.deadline > sleeper.deadline }
      state.sleepers.insert(sleeper, at: index ?? state.sleepers.endIndex)
      return .slept(state.takeSatisfiedWatchers())
    }
    switch outcome {
    case .slept(let satisfied): for watcher in satisfied { watcher.continuation.resume() }
    case .due: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: UInt64) {
    let (sleeper, satisfied): (Sleeper?, [Watcher]) = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelledEarly.insert(id)
        return (nil, [])
      }
      return (state.sleepers.remove(at: index), state.takeSatisfiedWatchers())
    }
    sleeper?.continuation.resume(throwing: CancellationError())
    for watcher in satisfied { watcher.continuation.resume() }
  }
}
