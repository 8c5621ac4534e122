import Glibc

/// The clocks of the uploader, injected so that tests need not wait.
package struct UploadTime: Sendable {
  /// Returns the time since a fixed instant, which never goes back and includes suspension.
  package var now: @Sendable () -> Duration
  /// Waits until an instant of ``now``, which may be over already; `nil` waits without an end.
  ///
  /// Throws `CancellationError` when the task is canceled first.
  package var sleepUntil: @Sendable (Duration?) async throws -> Void
  /// Returns nanoseconds since 1970 by this machine's clock, which may be wrong.
  package var wallNanoseconds: @Sendable () -> Int64
  /// Returns the local time; `nil` while the wall clock is not known to be right.
  package var localTime: @Sendable () -> LocalTime? = { nil }

  /// The system's clocks, `CLOCK_BOOTTIME` and `CLOCK_REALTIME`, without a trusted local time.
  package static let system = UploadTime(
    now: { .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME)) },
    sleepUntil: { (end: Duration?) async throws -> Void in
      guard let end else {
        await Self.untilCanceled()
        throw CancellationError()
      }
      let remaining: Duration = end - .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME))
      try await Task.sleep(for: remaining > .zero ? remaining : .zero, clock: .continuous)
    },
    wallNanoseconds: { Self.nanoseconds(of: CLOCK_REALTIME) })

  /// Waits until the task is canceled, without a timer.
  ///
  /// The timer of a canceled `Task.sleep` stays until its time has come.
  static func untilCanceled() async {
    let (endless, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in endless {}
  }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
