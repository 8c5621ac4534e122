import Devices
import Synchronization

/// A signal that wakes the simulated devices when the world has changed.
///
/// A change increases a number. So a device that was busy during a change notices it at the next
/// wait, and no change is missed.
final class ChangeSignal: Sendable {
  /// A sign of each change.
  let signs = EventHub<Void>()
  private let count = Mutex<UInt64>(0)

  /// The number of changes so far.
  var version: UInt64 { count.withLock { $0 } }

  /// Counts a change and wakes all waiting tasks.
  func raise() {
    count.withLock { $0 += 1 }
    signs.send(())
  }

  /// Waits until the number of changes differs from `version`, or the task is canceled.
  func change(since version: UInt64) async {
    let signs = signs.listen(limit: 1)
    guard self.version == version else { return }
    for await _ in signs { return }
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
