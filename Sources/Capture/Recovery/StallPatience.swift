/// The silence after which a camera counts as stalled; a long exposure is no stall.
///
/// | wait | timeout |
/// |---|---|
/// | silence between two frames | three frames and an exposure, at least ``timeout`` |
/// | silence before the first frame | nine frames more: the pipeline fills, automatics settle |
/// | one call of the camera | the camera system's timeout, and one frame |
///
/// A frame is as long as the longest of three durations: the stream's resolved one, the wanted one,
/// and that of the last frame. Set controls take effect some frames later.
package struct StallPatience: Sendable, Hashable {
  /// The minimum silence that counts as a stall.
  package var timeout: Duration
  /// The longest frame that may come.
  package var frameDuration: Duration = .zero
  /// The longest exposure that may be in a frame.
  package var exposureDuration: Duration = .zero

  package init(
    timeout: Duration, frameDuration: Duration = .zero, exposureDuration: Duration = .zero
  ) {
    self.timeout = timeout
    self.frameDuration = frameDuration
    self.exposureDuration = exposureDuration
  }

  /// The longest time of one frame: no frame is shorter than its exposure.
  package var longestFrame: Duration { max(frameDuration, exposureDuration) }

  /// Returns the silence after which the camera counts as stalled.
  ///
  /// - Parameter isFirst: whether no frame of the stream has come yet.
  package func silence(isFirst: Bool) -> Duration {
    max(timeout, longestFrame * (isFirst ? 12 : 3) + exposureDuration)
  }
}
