import Synchronization

/// A signal that ends a sleep before its time, for one sleeper at a time.
///
/// A signal that is given before the sleep stays, and the sleep ends at once. See
/// ``MonotonicClock/sleep(until:or:)``.
package final class WakeSignal: Sendable {
  /// A sleep that the signal can end.
  enum Sleep {
    /// A task that sleeps on a clock.
    case task(Task<Void, Never>)
    /// A sleeper of the ``SleepQueue``.
    case sleeper(UInt64)

    fileprivate func end() {
      switch self {
      case .task(let task): task.cancel()
      case .sleeper(let id): SleepQueue.shared.cancel(id)
      }
    }
  }

  private struct State {
    var isGiven = false
    var sleep: Sleep?
  }

  private let state = Mutex(State())

  /// Makes a signal that has not been given.
  package init() {}

  /// Gives the signal; may be called from any thread, and does not block.
  package func give() {
    let sleep = state.withLock { state in
      state.isGiven = true
      return state.sleep
    }
    sleep?.end()
  }

  /// Takes the signal back.
  package func reset() {
    state.withLock { $0.isGiven = false }
  }

  /// Waits for the signal, even in a canceled task.
  package func wait() async {
    await SleepQueue.shared.sleep(until: MonotonicInstant(nanoseconds: .max), or: self)
  }

  /// Waits for the end of a sleep or for the signal, which cancels the sleep; even in a canceled task.
  package func wait(during sleep: @escaping @Sendable () async -> Void) async {
    let nap = Task { await sleep() }
    enter(.task(nap))
    await nap.value
    leave()
  }

  /// Whether the signal has been given.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Notes a sleep that begins, and ends it when the signal has been given.
  func enter(_ sleep: Sleep) {
    let isGiven = state.withLock { state in
      state.sleep = sleep
      return state.isGiven
    }
    if isGiven { sleep.end() }
  }

  /// Forgets a sleep that has ended.
  func leave() {
    state.withLock { $0.sleep = nil }
  }
}
