/// A moment that keeps its meaning when the machine starts anew.
public struct BootMoment: Sendable, Hashable, Codable {
  /// The kernel's name of the boot (`/proc/sys/kernel/random/boot_id`); `nil` where it has none.
  public var bootID: String?
  /// `CLOCK_MONOTONIC` in nanoseconds, which begins near 0 with the boot.
  public var monotonicNanoseconds: Int64
  /// The wall clock in nanoseconds since 1970-01-01T00:00:00Z; `nil` when nobody vouches for it.
  public var wallNanoseconds: Int64?

  /// Makes a moment.
  public init(bootID: String?, monotonicNanoseconds: Int64, wallNanoseconds: Int64? = nil) {
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallNanoseconds = wallNanoseconds
  }

  /// How much time has passed at least since an earlier moment, 0 or more.
  ///
  /// Within one boot the monotonic clock tells. Otherwise the earlier moment is as old as two wall
  /// clocks that were both vouched for say, and at least as old as this boot.
  public func leastTime(since earlier: BootMoment) -> Duration {
    if let bootID, bootID == earlier.bootID {
      return .nanoseconds(max(0, difference(monotonicNanoseconds, earlier.monotonicNanoseconds)))
    }
    var least = max(0, monotonicNanoseconds)
    if let wall = wallNanoseconds, let other = earlier.wallNanoseconds {
      least = max(least, difference(wall, other))
    }
    return .nanoseconds(least)
  }

  /// Damaged numbers are no reason to end.
  private func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
    let (result, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow ? 0 : result
  }
}
