import Devices

/// Decides when a line's reader rests, so that a storm of edges costs limited processor time.
///
/// Up to ``edgesPerWindow`` edges in a ``window`` are read as they come; a real button does not
/// make more. Beyond that the reader pauses for a ``window``, and then reads one batch for each
/// further one. Edges that overflow the kernel's queue meanwhile are lost, and counted.
struct EdgePacer: Sendable, Hashable {
  /// The number of edges that are read without a rest within one window.
  static let edgesPerWindow = 32
  /// The length of a window and of a rest.
  static let window = Duration.milliseconds(20)

  private var windowStart: MonotonicInstant?
  private var count = 0

  /// Notes edges that were read.
  ///
  /// - Returns: whether to rest for a ``window`` now.
  mutating func takesRest(afterReading edges: Int, at now: MonotonicInstant) -> Bool {
    if let windowStart, windowStart.duration(to: now) < Self.window {
      count += edges
    } else {
      windowStart = now
      count = edges
    }
    guard count >= Self.edgesPerWindow else { return false }
    windowStart = nil
    count = 0
    return true
  }
}
