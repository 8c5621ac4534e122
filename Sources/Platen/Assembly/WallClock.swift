internal import CTimex
import Devices
import Foundation
import Glibc
import LinuxDevices

/// What the wall clock said at an instant of the monotonic clock, and how far it can be trusted.
struct WallClockReading: Sendable, Hashable {
  /// Whether the kernel's clock is disciplined by a time source.
  enum Trust: String, Sendable, Hashable {
    /// The kernel says that it is synchronized (`adjtimex`, STA_UNSYNC clear), or systemd for it.
    case synchronized
    /// The kernel does not know; a Pi without network starts with the time it last saved.
    case estimated
  }

  /// Nanoseconds since 1970-01-01T00:00:00Z.
  var nanosecondsSinceEpoch: Int64
  /// How far it can be trusted.
  var trust: Trust
  /// Seconds east of Greenwich in the rig's time zone at that moment.
  var secondsFromGMT: Int
}

/// Turns monotonic instants into wall-clock time.
struct WallClock: Sendable {
  /// Reads what the wall clock said, or would have said, at an instant.
  ///
  /// The wall clock is read between two readings of the monotonic clock, so that a pause of the
  /// process in between cannot shift the result unseen; the closest of three attempts counts.
  func reading(at instant: MonotonicInstant) -> WallClockReading {
    let clock = SystemMonotonicClock()
    var best: (width: Int64, offset: Int64)?
    for _ in 0..<3 {
      let before = clock.now.nanoseconds
      // `clock_gettime` too, in a number that is exact to a quarter of a microsecond.
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

  private static var trust: WallClockReading.Trust {
    isSynchronized ? .synchronized : .estimated
  }

  private static var isSynchronized: Bool {
    var state = timex()
    let result = adjtimex(&state)
    if result >= 0 { return result != TIME_ERROR && state.status & STA_UNSYNC == 0 }
    // The unit's sandbox refuses it; systemd's time service may ask, and timesyncd leaves a file.
    return TimedateClock.shared.isSynchronized ?? (KernelTime.source(KernelFiles()) == "timesyncd")
  }
}
