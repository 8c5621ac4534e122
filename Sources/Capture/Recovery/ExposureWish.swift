/// How long an exposure may be that is under way: a wish takes effect some frames later, and so does
/// its end.
///
/// Whoever sets the controls of a running stream tells it; the frames that come say when an earlier,
/// longer wish can be in none of those that are still to come.
struct ExposureWish: Sendable, Hashable {
  /// How many frames may be under way with controls from before, requests that are queued included.
  static let framesUnderWay: UInt64 = 8

  /// The longest exposure that a frame still to come may have.
  private(set) var longest: Duration
  private var wanted: Duration
  private var framesUntilForgotten: UInt64 = 0

  /// Makes the wish of a stream that is about to start: no other was there before.
  init(_ exposure: Duration = .zero) {
    longest = exposure
    wanted = exposure
  }

  /// Other controls are set at the running stream.
  mutating func set(_ exposure: Duration) {
    wanted = exposure
    longest = max(longest, exposure)
    framesUntilForgotten = Self.framesUnderWay
  }

  /// A frame has come.
  mutating func frameArrived() {
    guard framesUntilForgotten > 0 else { return }
    framesUntilForgotten -= 1
    if framesUntilForgotten == 0 { longest = wanted }
  }
}
