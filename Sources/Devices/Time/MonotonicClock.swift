#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A source of ``MonotonicInstant``s that can also wait, injected wherever time matters.
public protocol MonotonicClock: Sendable {
  /// The present instant.
  var now: MonotonicInstant { get }

  /// Waits until an instant has come.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  func sleep(until instant: MonotonicInstant) async throws
}

extension MonotonicClock {
  /// Waits for a duration from now.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}

/// The kernel's `CLOCK_MONOTONIC`, read with `clock_gettime`.
public struct SystemMonotonicClock: MonotonicClock {
  /// Makes the clock; all of its values read the same kernel clock.
  public init() {}

  /// The present instant of `CLOCK_MONOTONIC`.
  public var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Waits until an instant has come; returns at once when it has passed.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(until instant: MonotonicInstant) async throws {
    let remaining = now.duration(to: instant)
    try await Task.sleep(for: remaining > .zero ? remaining : .zero, clock: SuspendingClock())
  }
}
