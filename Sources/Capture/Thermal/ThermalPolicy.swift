package import Devices

/// The limits on the rig when it is hot.
package struct ThermalConstraints: Sendable, Hashable {
  /// The limits on uploads.
  package enum Uploads: String, Sendable, Hashable, CaseIterable {
    /// Uploads run as configured.
    case `continue`
    /// Each target has one delivery at a time.
    case single
    /// No upload begins; at *critical*, running ones are ended, too.
    case hold
  }

  /// The limits on the session.
  package var capture: CaptureConstraints = .none
  /// The limits on uploads.
  package var uploads: Uploads = .continue

  /// No constraints.
  package static let none = ThermalConstraints()
}

/// The limits for each thermal state.
///
/// | state | frame rate | preview | uploads | presses | recordings |
/// |---|---|---|---|---|---|
/// | nominal, fair | – | – | – | – | – |
/// | serious | ``frameRate`` | ``previewFrameRate`` | ``seriousUploads`` | – | ``moviePixels`` |
/// | critical | ``frameRate`` | stopped | held | spaced, or refused | ended |
///
/// From *serious* on, no frames are averaged, and no brackets are merged.
package struct ThermalPolicy: Sendable, Hashable {
  /// The maximum frames per second from *serious* on, above 0.
  package var frameRate = 5.0
  /// The maximum frames per second of the preview at *serious*, above 0.
  package var previewFrameRate = 2.0
  /// The limits on uploads at *serious*.
  package var seriousUploads = ThermalConstraints.Uploads.single
  /// The maximum number of pixels of a recording's part that begins at *serious*, 4 or more.
  package var moviePixels = 1280 * 720
  /// The time between two presses at *critical*; `nil` refuses them.
  package var criticalSpacing: Duration?

  package init() {}

  /// Returns the limits in a state.
  package func constraints(in state: ThermalState) -> ThermalConstraints {
    switch state {
    case .nominal, .fair: .none
    case .serious:
      ThermalConstraints(
        capture: CaptureConstraints(
          maximumFrameRate: frameRate, preview: .limited(framesPerSecond: previewFrameRate),
          averagesFrames: false, movie: .limited(pixels: moviePixels)),
        uploads: seriousUploads)
    case .critical:
      ThermalConstraints(
        capture: CaptureConstraints(
          maximumFrameRate: frameRate, preview: .stopped,
          shots: criticalSpacing.map { .spaced($0) } ?? .refused, averagesFrames: false,
          movie: .ended),
        uploads: .hold)
    }
  }
}
