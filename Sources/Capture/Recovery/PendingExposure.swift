/// The longest exposure that may be under way, as set controls take effect some frames later.
///
/// The setter of a running stream's controls reports the new exposure. The arriving frames tell
/// when no frame still to come can have an earlier, longer exposure.
struct PendingExposure: Sendable, Hashable {
  /// The number of frames that may be under way with earlier controls, including queued requests.
  static let framesUnderWay: UInt64 = 8

  /// The longest exposure that a frame still to come may have.
  private(set) var longest: Duration
  private var wanted: Duration
  private var framesUntilForgotten: UInt64 = 0

  /// Makes the exposure of a stream that is about to start, without an earlier one.
  init(_ exposure: Duration = .zero) {
    longest = exposure
    wanted = exposure
  }

  /// Notes that other controls are set on the running stream.
  mutating func set(_ exposure: Duration) {
    wanted = exposure
    longest = max(longest, exposure)
    framesUntilForgotten = Self.framesUnderWay
  }

  /// Notes that a frame has come.
  mutating func frameArrived() {
    guard framesUntilForgotten > 0 else { return }
    framesUntilForgotten -= 1
    if framesUntilForgotten == 0 { longest = wanted }
  }
}
