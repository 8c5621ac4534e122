package import Devices
import Glibc

/// The clocks of the uploader, injected so that tests need not wait.
package struct UploadTime: Sendable {
  /// Returns the time since a fixed instant, which never goes back and includes suspension.
  package var now: @Sendable () -> Duration
  /// Waits until an instant of ``now``, which may be over already, or for a signal, even in a
  /// canceled task; `nil` waits for the signal alone.
  package var sleep: @Sendable (Duration?, WakeSignal) async -> Void
  /// Returns nanoseconds since 1970 by this machine's clock, which may be wrong.
  package var wallNanoseconds: @Sendable () -> Int64
  /// Returns the local time; `nil` while the wall clock is not known to be right.
  package var localTime: @Sendable () -> LocalTime? = { nil }

  /// The system's clocks, `CLOCK_BOOTTIME` and `CLOCK_REALTIME`, without a trusted local time.
  package static let system = UploadTime(
    now: { .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME)) },
    sleep: { (end: Duration?, signal: WakeSignal) async -> Void in
      guard let end else { return await signal.wait() }
      let remaining: Duration = end - .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME))
      await signal.wait {
        _ = try? await Task.sleep(for: max(Duration.zero, remaining), clock: .continuous)
      }
    },
    wallNanoseconds: { Self.nanoseconds(of: CLOCK_REALTIME) })

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
