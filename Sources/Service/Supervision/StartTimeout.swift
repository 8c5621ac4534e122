internal import CSystemd
import Devices

/// The requests to systemd for more start time (`sd_notify(3)`, `EXTEND_TIMEOUT_USEC`).
///
/// The unit gives a start 60 s. A long queue after weeks without a network, or the rebuilding of an
/// index, takes longer. A start that is stopped would begin again.
enum StartTimeout {
  /// The pause between two requests, and the time that each requests.
  static let interval = (pause: Duration.seconds(15), extension: Duration.seconds(60))
  /// The time after which a spool counts as hanging.
  static let limit = Duration.seconds(1800)

  /// Requests more time until the task is canceled or the limit is reached.
  ///
  /// - Parameter notify: the function that sends a message to systemd; it has no effect outside
  ///   systemd.
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
