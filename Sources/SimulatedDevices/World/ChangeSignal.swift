import Devices
import Synchronization

/// A signal that wakes the simulated devices when the world has changed.
///
/// A change increases a number. So a device that was busy during a change notices it at the next
/// wait, and no change is missed.
final class ChangeSignal: Sendable {
  private struct State {
    var version: UInt64 = 0
    var nextID: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var cancelledEarly: Set<UInt64> = []
  }

  private let state = Mutex(State())

  /// The number of changes so far.
  var version: UInt64 { state.withLock { $0.version } }

  /// Counts a change and wakes all waiting tasks.
  func raise() {
    let waiters = state.withLock { state in
      state.version += 1
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the number of changes differs from `version`, or the task is canceled.
  func change(since version: UInt64) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumesNow = state.withLock { state in
          let wasCancelled = state.cancelledEarly.remove(id) != nil
          guard state.version == version, !wasCancelled else { return true }
          state.waiters[id] = continuation
          return false
        }
        if resumesNow { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelledEarly.insert(id) }
        return waiter
      }
      waiter?.resume()
    }
    state.withLock { _ = $0.cancelledEarly.remove(id) }
  }

  /// Waits for an instant or a change since `version`, whichever comes first.
  ///
  /// - Parameter instant: the latest time of the return; `nil` waits for a change alone.
  func wait(
    until instant: MonotonicInstant?, since version: UInt64, on clock: any MonotonicClock
  ) async {
    guard let instant else { return await change(since: version) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(until: instant) }
      group.addTask { await self.change(since: version) }
      await group.next()
      group.cancelAll()
    }
  }
}
