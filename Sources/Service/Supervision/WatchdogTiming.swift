import Devices

/// The times at which systemd's watchdog is fed, and at which it ends the service.
///
/// The value of `WatchdogSec=` is P; the feed interval is a third of it. The maximum time of a
/// camera call is L (``Devices/CameraSystem/longestCall``). The longest current frame is F.
///
/// | hanging part | ended by | after |
/// |---|---|---|
/// | a call in the camera process | the service, which kills the process; the recovery ladder starts a new one | the call's deadline and F (`HostDeadlines`: 15 s + F at most), always before L + F |
/// | the service's own part of such a call (a bug) | systemd | L + F + 2/3 P to L + F + P; L is 75 s |
/// | libcamera within the service (`process: service`) | systemd | the same; L is 15 s |
/// | the session itself | systemd | 2/3 P to P |
///
/// The first row never stops the feeding, however often it happens: each call is timed separately.
/// A longer exposure lengthens F and with it all rows but the last.
struct WatchdogTiming: Sendable, Hashable {
  /// The time without feeding after which systemd ends the service.
  let period: Duration

  /// The feed interval: a busy machine may miss two feedings.
  var feedInterval: Duration { min(period / 3, .seconds(60)) }

  /// Returns the earliest end of a service with a hanging camera call, from the call's start.
  func earliestEnd(ofCallLongerThan limit: Duration) -> Duration {
    limit - feedInterval + period
  }

  /// Returns the latest end of such a service.
  func latestEnd(ofCallLongerThan limit: Duration) -> Duration { limit + period }
}
