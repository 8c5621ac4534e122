/// A point on the kernel's `CLOCK_MONOTONIC`, in nanoseconds since boot.
///
/// Line edges, camera frames and sensor samples are all stamped by the kernel on this clock, so
/// they can be compared without conversion. The clock does not count time spent suspended.
package struct MonotonicInstant: Sendable, Hashable, Comparable, Codable {
  /// Nanoseconds since boot; never negative for an instant read from a clock.
  package var nanoseconds: Int64

  /// Makes an instant from nanoseconds of `CLOCK_MONOTONIC`.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Returns the instant that is `duration` later, or earlier when it is negative.
  package func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  /// Returns the time from this instant to another; negative when the other is earlier.
  package func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  /// Returns the first instant after this one that is a multiple of a period since boot.
  ///
  /// - Parameter period: the period, 1 ns or more.
  package func next(_ period: Duration) -> MonotonicInstant {
    let step = period.wholeNanoseconds
    return MonotonicInstant(nanoseconds: (nanoseconds / step + 1) * step)
  }

  /// Returns whether the first of two instants is the earlier.
  package static func < (earlier: MonotonicInstant, later: MonotonicInstant) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded toward zero; traps beyond ±292 years.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in milliseconds, for display.
  package var inMilliseconds: Double {
    Double(wholeNanoseconds) / 1e6
  }
}
