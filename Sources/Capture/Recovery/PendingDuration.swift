/// The longest exposure or frame that may be under way, as settings take effect some frames later.
///
/// The setter of a running stream's exposure or frame rate reports the new duration. The arriving
/// frames tell when no frame still to come can have an earlier, longer one.
struct PendingDuration: Sendable, Hashable {
  /// The number of frames that may be under way with earlier settings, including queued requests.
  static let framesUnderWay: UInt64 = 8

  /// The longest duration that a frame still to come may have.
  private(set) var longest: Duration
  private var wanted: Duration
  private var framesUntilForgotten: UInt64 = 0

  /// Makes the duration of a stream that is about to start, without an earlier one.
  init(_ duration: Duration = .zero) {
    longest = duration
    wanted = duration
  }

  /// Notes that another duration is set on the running stream.
  mutating func set(_ duration: Duration) {
    wanted = duration
    longest = max(longest, duration)
    framesUntilForgotten = Self.framesUnderWay
  }

  /// Notes that a frame has come.
  mutating func frameArrived() {
    guard framesUntilForgotten > 0 else { return }
    framesUntilForgotten -= 1
    if framesUntilForgotten == 0 { longest = wanted }
  }
}
