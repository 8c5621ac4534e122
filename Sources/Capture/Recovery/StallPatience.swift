/// How long a camera may be silent before that is a stall: a long exposure is no hang.
///
/// | what | how long |
/// |---|---|
/// | silence between two frames | three frames and an exposure, at least ``timeout`` |
/// | silence before the first frame | nine frames more: the pipeline fills, and frames are kept back while the automatics settle |
/// | one call of the camera | what the camera system says, and one frame |
///
/// A frame is as long as the longest of what the stream was resolved to, what is wanted and what the
/// last frame had: a wish takes effect some frames later, and so does its end.
public struct StallPatience: Sendable, Hashable {
  /// The least silence that counts as a stall.
  public var timeout: Duration
  /// The longest frame that may come.
  public var frameDuration: Duration
  /// The longest exposure that may be in a frame.
  public var exposureDuration: Duration

  /// Makes a patience.
  public init(
    timeout: Duration, frameDuration: Duration = .zero, exposureDuration: Duration = .zero
  ) {
    self.timeout = timeout
    self.frameDuration = frameDuration
    self.exposureDuration = exposureDuration
  }

  /// What one frame takes: no frame is shorter than its exposure.
  public var longestFrame: Duration { max(frameDuration, exposureDuration) }

  /// After how much silence the camera counts as stalled.
  ///
  /// - Parameter isFirst: whether no frame of the stream has come yet.
  public func silence(isFirst: Bool) -> Duration {
    max(timeout, longestFrame * (isFirst ? 12 : 3) + exposureDuration)
  }
}
