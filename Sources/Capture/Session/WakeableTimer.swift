import Devices
import Synchronization

/// Lets tasks of an actor sleep until a deadline, or until an event wakes them.
///
/// A task looks at its state, computes the deadline and calls ``sleep(until:)``, without another
/// `await` in between. The call enters the sleep before it leaves the actor, so that no event on
/// the actor is lost. After each sleep the task looks again, as the deadline may not have come.
final class WakeableTimer: Sendable {
  /// The maximum length of a sleep, after which a task looks again even without an event.
  static let longestSleep = Duration.seconds(60)

  private let clock: any MonotonicClock
  /// The sleeps that last, with their ends.
  private let sleeps = Mutex<[Task<Void, Never>: MonotonicInstant]>([:])

  init(clock: any MonotonicClock) {
    self.clock = clock
  }

  /// Sleeps until a deadline, a wake-up, the cancellation of the task, or ``longestSleep``.
  ///
  /// - Parameter deadline: the deadline; `nil` when only an event matters.
  func sleep(until deadline: MonotonicInstant?) async {
    let longest = clock.now.advanced(by: Self.longestSleep)
    let end = min(deadline ?? longest, longest)
    // Under the lock, so that a wake-up finds whatever sleeps.
    let nap = sleeps.withLock { [clock] sleeps in
      let nap = Task<Void, Never> {
        // Only the end of the sleep matters, whether its time is over or it was canceled.
        _ = try? await clock.sleep(until: end)
      }
      sleeps[nap] = end
      return nap
    }
    await withTaskCancellationHandler {
      await nap.value
    } onCancel: {
      nap.cancel()
    }
    sleeps.withLock { $0[nap] = nil }
  }

  /// Ends all sleeps.
  func wake() {
    for nap in sleeps.withLock({ Array($0.keys) }) { nap.cancel() }
  }

  /// Ends the sleeps that would last beyond a deadline, if there is one.
  func wake(before deadline: MonotonicInstant?) {
    guard let deadline else { return }
    let late = sleeps.withLock { sleeps in sleeps.filter { $0.value > deadline } }
    for nap in late.keys { nap.cancel() }
  }
}
