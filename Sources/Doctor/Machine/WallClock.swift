internal import CTimex
package import Devices
import Foundation
import Glibc
import LinuxDevices

/// The wall-clock time at an instant of the monotonic clock, and its trustworthiness.
package struct WallClockReading: Sendable, Hashable {
  /// The nanoseconds since 1970-01-01T00:00:00Z.
  package var nanosecondsSinceEpoch: Int64
  /// The trust in the time: `synchronized` when the kernel (`adjtimex`, STA_UNSYNC clear) or systemd
  /// says so, else `estimated`; a Pi without network starts with its last saved time.
  package var trust: WallTrust
  /// The seconds east of Greenwich in the rig's time zone at that moment.
  package var secondsFromGMT: Int

  package init(nanosecondsSinceEpoch: Int64, trust: WallTrust, secondsFromGMT: Int) {
    self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
    self.trust = trust
    self.secondsFromGMT = secondsFromGMT
  }
}

/// A converter from monotonic instants to wall-clock time.
package struct WallClock: Sendable {
  /// Makes a converter for the system's clocks.
  package init() {}

  /// Returns the wall-clock time at an instant.
  ///
  /// The wall clock is read between two readings of the monotonic clock. A pause of the process in
  /// between therefore cannot shift the result unseen. The closest of three attempts counts.
  package func reading(at instant: MonotonicInstant) -> WallClockReading {
    let clock = SystemMonotonicClock()
    var best: (width: Int64, offset: Int64)?
    for _ in 0..<3 {
      let before = clock.now.nanoseconds
      // `Date` calls `clock_gettime` too; its number is exact to a quarter of a microsecond.
      let time = Date().timeIntervalSince1970
      let after = clock.now.nanoseconds
      let wall = Int64(time * 1e9)
      let candidate = (width: after - before, offset: wall - (before + after) / 2)
      if candidate.width < best?.width ?? .max { best = candidate }
    }
    let wall = instant.nanoseconds + (best?.offset ?? 0)
    var seconds = time_t(wall / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return WallClockReading(
      nanosecondsSinceEpoch: wall, trust: WallClock.trust, secondsFromGMT: Int(local.tm_gmtoff))
  }

  private static var trust: WallTrust {
    isSynchronized ? .synchronized : .estimated
  }

  private static var isSynchronized: Bool {
    var state = timex()
    let result = adjtimex(&state)
    if result >= 0 { return result != TIME_ERROR && state.status & STA_UNSYNC == 0 }
    // The unit's sandbox refuses `adjtimex`. The alternatives are systemd's time service and
    // timesyncd's file.
    return TimedateClock.shared.isSynchronized ?? (KernelTime.source(KernelFiles()) == "timesyncd")
  }
}
