#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clocks of the uploader, injected so that tests need not wait.
public struct UploadTime: Sendable {
  /// Returns the time since a fixed instant; it never goes back and counts suspension.
  public var now: @Sendable () -> Duration
  /// Waits until an instant of ``now``, which may be over already; throws `CancellationError` when
  /// the task is cancelled first.
  public var sleepUntil: @Sendable (Duration) async throws -> Void
  /// Returns nanoseconds since 1970 by this machine's clock, which may be wrong.
  public var wallNanoseconds: @Sendable () -> Int64
  /// Returns the local time; `nil` while nobody vouches for the wall clock.
  public var localTime: @Sendable () -> LocalTime?

  /// Makes clocks of closures.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (Duration) async throws -> Void,
    wallNanoseconds: @escaping @Sendable () -> Int64,
    localTime: @escaping @Sendable () -> LocalTime? = { nil }
  ) {
    self.now = now
    self.sleepUntil = sleepUntil
    self.wallNanoseconds = wallNanoseconds
    self.localTime = localTime
  }

  /// The system's clocks: `CLOCK_BOOTTIME` and `CLOCK_REALTIME`, the latter vouched for by nobody.
  public static let system = UploadTime(
    now: { .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME)) },
    sleepUntil: {
      let remaining: Duration = $0 - .nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME))
      try await Task.sleep(for: remaining > .zero ? remaining : .zero, clock: .continuous)
    },
    wallNanoseconds: { Self.nanoseconds(of: CLOCK_REALTIME) })

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
