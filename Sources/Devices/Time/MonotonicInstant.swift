/// A point on the kernel's `CLOCK_MONOTONIC`, in nanoseconds since boot.
///
/// Line edges, camera frames and sensor samples are all stamped by the kernel on this clock, so
/// they can be compared without conversion. It does not count time spent suspended.
public struct MonotonicInstant: Sendable, Hashable, Comparable, Codable {
  /// Nanoseconds since boot; never negative for an instant read from a clock.
  public var nanoseconds: Int64

  /// Makes an instant from nanoseconds of `CLOCK_MONOTONIC`.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Returns the instant that lies `duration` later, or earlier when it is negative.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  /// Returns the time from this instant to another; negative when the other is earlier.
  public func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  /// Compares two instants; the smaller is the earlier.
  public static func < (earlier: MonotonicInstant, later: MonotonicInstant) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero; traps beyond ±292 years.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in milliseconds, for people to read.
  public var inMilliseconds: Double {
    Double(wholeNanoseconds) / 1e6
  }
}
