/// A moment that keeps its meaning across reboots.
package struct BootMoment: Sendable, Hashable, Codable {
  /// The kernel's name of the boot (`/proc/sys/kernel/random/boot_id`); `nil` where it has none.
  package var bootID: String?
  /// `CLOCK_MONOTONIC` in nanoseconds, which begins near 0 with the boot.
  package var monotonicNanoseconds: Int64
  /// The wall clock in nanoseconds since 1970-01-01T00:00:00Z; `nil` when it is not reliable.
  package var wallNanoseconds: Int64?

  package init(bootID: String?, monotonicNanoseconds: Int64, wallNanoseconds: Int64? = nil) {
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallNanoseconds = wallNanoseconds
  }

  /// Returns the minimum time since an earlier moment, 0 or more.
  ///
  /// Within one boot the monotonic clock gives the time. Otherwise the time is the difference of
  /// the wall clocks, if both are reliable, and at least the age of this boot.
  package func leastTime(since earlier: BootMoment) -> Duration {
    if let bootID, bootID == earlier.bootID {
      return .nanoseconds(max(0, difference(monotonicNanoseconds, earlier.monotonicNanoseconds)))
    }
    var least = max(0, monotonicNanoseconds)
    if let wall = wallNanoseconds, let other = earlier.wallNanoseconds {
      least = max(least, difference(wall, other))
    }
    return .nanoseconds(least)
  }

  /// Returns the difference of two times, and 0 for damaged ones that would overflow.
  private func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
    let (result, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow ? 0 : result
  }
}
