import Devices

/// How long the calls of a camera process may take before it is killed.
///
/// | what hangs | what happens | after |
/// |---|---|---|
/// | the start of the process | it is killed, the call fails | 15 s |
/// | a call that waits for the driver | it is killed, the call fails, the stream ends | 15 s and a frame |
/// | any other call | the same | 5 s and a frame |
/// | the killed process, in the kernel | the call that would need a new one fails | 5 s |
/// | a call with all of that, twice (``longestCall``) | the service is at fault: its watchdog is no longer fed | 75 s and a frame |
///
/// The ladder climbs after each failed call; so it has long begun when the watchdog would.
public struct HostDeadlines: Sendable, Hashable {
  /// From the start of the process to its first word; a busy machine needs ten seconds to load it.
  public var begin = Duration.seconds(15)
  /// Listing, opening, starting, stopping and closing: libcamera waits for the driver in them, and
  /// gives up on its own stop after ten seconds.
  public var change = Duration.seconds(15)
  /// Everything else, which waits for nothing.
  public var other = Duration.seconds(5)
  /// From `SIGKILL` to the end of the process; it takes longer only when it hangs in the kernel.
  public var end = Duration.seconds(5)

  /// What a machine may be late by that is busy with other things.
  public var slack = Duration.seconds(5)

  /// Within which any call returns, whatever the process does, if this side works; besides the
  /// duration of a frame.
  ///
  /// The call waits for the end of the old process, starts one, is made, and all of that a second
  /// time when the library says that it needs a new process.
  public var longestCall: Duration {
    (end + begin + max(change, other)) * 2 + slack
  }

  /// How long the end of the process in order may take.
  public var longestShutDown: Duration { change + end }

  /// The deadlines as they are.
  public init() {}

  func limit(of call: HostCall) -> Duration {
    switch call {
    case .cameras, .open, .start, .stop, .close, .shutDown: change
    case .resolve, .lease, .setFrameRate, .capabilities, .setControls: other
    }
  }
}
