internal import CSystemd
import Devices

/// Asks systemd for more time while the spool is read (`sd_notify(3)`, `EXTEND_TIMEOUT_USEC`).
///
/// The unit gives a start 60 s. A long queue after weeks without a network, or an index that is made
/// anew, takes longer, and a start that is ended begins again.
enum StartTimeout {
  /// How often, and for how long at a time.
  static let interval = (pause: Duration.seconds(15), extension: Duration.seconds(60))
  /// A spool that takes longer than this hangs.
  static let limit = Duration.seconds(1800)

  /// Asks until the task is cancelled, or the limit is reached.
  ///
  /// - Parameter notify: sends a message to systemd; outside systemd it does nothing.
  static func extend(
    _ clock: any MonotonicClock,
    notify: @Sendable (String) -> Void = { _ = sd_notify(0, $0) }
  ) async {
    let end = clock.now.advanced(by: limit)
    while !Task.isCancelled, clock.now < end {
      notify(
        "STATUS=the spool is being read\n"
          + "EXTEND_TIMEOUT_USEC=\(interval.extension.components.seconds * 1_000_000)")
      do { try await clock.sleep(for: interval.pause) } catch { return }
    }
  }
}
