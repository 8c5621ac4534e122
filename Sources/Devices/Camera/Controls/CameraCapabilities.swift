/// The subset of ``CameraControls`` that a camera has, and its limits.
///
/// The limits are those of the stream that was started last; before the first start a camera may
/// give wider or narrower ones.
package struct CameraCapabilities: Sendable, Hashable, Codable {
  /// The exposure modes; empty for a camera whose exposure cannot be controlled.
  package var exposureModes: Set<CameraControls.ExposureMode.Kind>
  /// The exposure durations of a row; `nil` when the camera does not report them.
  package var exposureDurations: ClosedRange<Duration>?
  /// The gain before the converter as a factor; `nil` when the camera does not report it.
  package var gains: ClosedRange<Double>?
  /// The white-balance modes; empty for a camera whose white balance cannot be controlled.
  package var whiteBalanceModes: Set<CameraControls.WhiteBalanceMode.Kind>
  /// The gains of red and blue as factors; `nil` when the camera does not report them.
  package var whiteBalanceGains: ClosedRange<Double>?
  /// The focus modes; empty for a camera with a fixed focus.
  package var focusModes: Set<CameraControls.FocusMode.Kind>
  /// The lens positions in diopters; `nil` when the lens cannot be placed.
  package var lensPositions: ClosedRange<Double>?
  /// The maximum factor by which the field of view can be narrowed, 1 or more; 1 for none.
  package var maximumVideoZoomFactor: Double
  /// The flicker avoidances; always with `off`.
  package var flickerAvoidances: Set<CameraControls.FlickerAvoidance>
  /// The noise reductions; empty when the camera has no control of them.
  package var noiseReductions: Set<CameraControls.NoiseReduction>
  /// The controls of the image with their numbers; empty when the camera has none.
  package var imageControls: [ImageControl: ClosedRange<Double>]
  /// The times between frames that the sensor supports; `nil` when the camera does not report them.
  package var frameDurations: ClosedRange<Duration>?
  /// The form of the raw frames of the largest mode; `nil` for a camera without raw frames.
  package var rawFormat: RawFormat?

  /// Makes capabilities; without arguments those of a camera that can only stream.
  package init(
    exposureModes: Set<CameraControls.ExposureMode.Kind> = [],
    exposureDurations: ClosedRange<Duration>? = nil, gains: ClosedRange<Double>? = nil,
    whiteBalanceModes: Set<CameraControls.WhiteBalanceMode.Kind> = [],
    whiteBalanceGains: ClosedRange<Double>? = nil,
    focusModes: Set<CameraControls.FocusMode.Kind> = [],
    lensPositions: ClosedRange<Double>? = nil, maximumVideoZoomFactor: Double = 1,
    flickerAvoidances: Set<CameraControls.FlickerAvoidance> = [.off],
    noiseReductions: Set<CameraControls.NoiseReduction> = [],
    imageControls: [ImageControl: ClosedRange<Double>] = [:],
    frameDurations: ClosedRange<Duration>? = nil
  ) {
    self.exposureModes = exposureModes
    self.exposureDurations = exposureDurations
    self.gains = gains
    self.whiteBalanceModes = whiteBalanceModes
    self.whiteBalanceGains = whiteBalanceGains
    self.focusModes = focusModes
    self.lensPositions = lensPositions
    self.maximumVideoZoomFactor = maximumVideoZoomFactor
    self.flickerAvoidances = flickerAvoidances
    self.noiseReductions = noiseReductions
    self.imageControls = imageControls
    self.frameDurations = frameDurations
  }

  /// Returns a camera's range in nanoseconds as durations; `nil` for negative ones.
  package static func durations(_ range: ClosedRange<Double>) -> ClosedRange<Duration>? {
    // A duration of more than a few hours is a driver's way of saying "any".
    let longest = 1e14
    guard range.lowerBound >= 0 else { return nil }
    func duration(_ nanoseconds: Double) -> Duration {
      .nanoseconds(Int64(min(nanoseconds, longest).rounded()))
    }
    return duration(range.lowerBound)...duration(range.upperBound)
  }
}
