import Devices

/// When systemd's watchdog is fed, and when it ends a service that is no longer fed.
///
/// `WatchdogSec=` is P; a third of it is the time from feeding to feeding. L is how long a call of the
/// camera may take (``Devices/CameraSystem/longestCall``) and F the longest frame in force.
///
/// | what hangs | who ends it | after |
/// |---|---|---|
/// | a call in the camera process | the service kills the process, the ladder begins a new one | the call's deadline and F (`HostDeadlines`: 15 s + F at most), always before L + F |
/// | the service's own part of such a call (a bug) | systemd | L + F + 2/3 P to L + F + P; L is 75 s |
/// | libcamera within the service (`process: service`) | systemd | the same; L is 15 s |
/// | the session itself | systemd | 2/3 P to P |
///
/// The first row never stops the feeding, however often it happens: each call is timed for itself.
/// A longer exposure lengthens F and with it all rows but the last.
struct WatchdogTiming: Sendable, Hashable {
  /// After how long without being fed systemd ends the service.
  let period: Duration

  /// The time from feeding to feeding: two may be missed by a machine that is busy.
  var feedInterval: Duration { min(period / 3, .seconds(60)) }

  /// When a service is ended at the earliest whose call of the camera hangs, counted from the call's
  /// beginning.
  func earliestEnd(ofCallLongerThan limit: Duration) -> Duration {
    limit - feedInterval + period
  }

  /// When such a service is ended at the latest.
  func latestEnd(ofCallLongerThan limit: Duration) -> Duration { limit + period }
}
