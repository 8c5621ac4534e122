/// The choice of the frames that begin a fragment, so that each has at most one second.
struct FragmentSchedule {
  /// The longest fragment in microseconds.
  static let maximum: Int64 = 1_000_000

  private var start: Int64?
  private var last: Int64?

  /// Returns whether a frame begins a fragment.
  ///
  /// The next frame is expected after the same time as this one. If it would end the fragment too
  /// late, this frame begins one.
  ///
  /// - Parameter time: the frame's time in microseconds, later than that of the frame before.
  mutating func begins(at time: Int64) -> Bool {
    defer { last = time }
    if let start, let last, time - start + (time - last) <= FragmentSchedule.maximum {
      return false
    }
    start = time
    return true
  }

  /// Has the next frame begin a fragment.
  mutating func restart() {
    start = nil
  }
}
