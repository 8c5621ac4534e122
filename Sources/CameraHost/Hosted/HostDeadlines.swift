import Devices

/// The time limits of a camera process's calls, after which the process is killed.
///
/// | hanging part | consequence | after |
/// |---|---|---|
/// | the start of the process | the process is killed, the call fails | 15 s |
/// | a call that waits for the driver | killed, the call fails, the stream ends | 15 s and a frame |
/// | any other call | the same | 5 s and a frame |
/// | the killed process, in the kernel | the call that needs a new process fails | 5 s |
/// | all of these, twice (``longestCall``) | the watchdog is fed no longer | 75 s and a frame |
///
/// The recovery ladder climbs after each failed call, long before the watchdog acts.
package struct HostDeadlines: Sendable, Hashable {
  /// The limit from the start of the process to its greeting; a busy machine needs ten seconds.
  package var begin = Duration.seconds(15)
  /// The limit of listing, opening, starting, stopping and closing.
  ///
  /// libcamera waits for the driver in these calls, and gives up on its own stop after ten seconds.
  package var change = Duration.seconds(15)
  /// The limit of all other calls, which wait for nothing.
  package var other = Duration.seconds(5)
  /// The limit from `SIGKILL` to the process's end, which only a hang in the kernel exceeds.
  package var end = Duration.seconds(5)

  /// The possible delay on a busy machine.
  package var slack = Duration.seconds(5)

  /// The time in which any call returns, without the duration of a frame.
  ///
  /// The limit holds for any behavior of the process if this side works. The call waits for the old
  /// process's end, starts a new process and is made. All of this happens a second time when the
  /// library needs a new process.
  package var longestCall: Duration {
    (end + begin + max(change, other)) * 2 + slack
  }

  /// The time limit of an orderly end of the process.
  package var longestShutDown: Duration { change + end }

  package init() {}

  func limit(of call: HostCall) -> Duration {
    switch call {
    case .cameras, .open, .start, .stop, .close, .shutDown: change
    case .resolve, .lease, .setFrameRate, .capabilities, .setControls: other
    }
  }
}
