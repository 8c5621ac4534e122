/// Which of ``CameraControls`` a camera has, and within which limits.
///
/// The limits are those of the stream that was started last; before the first start a camera may
/// give wider or narrower ones.
public struct CameraCapabilities: Sendable, Hashable, Codable {
  /// The exposure modes; empty for a camera whose exposure cannot be controlled.
  public var exposureModes: Set<CameraControls.ExposureMode.Kind>
  /// How long a row can be exposed; `nil` when the camera does not say.
  public var exposureDurations: ClosedRange<Duration>?
  /// The gain before the converter as a factor; `nil` when the camera does not say.
  public var gains: ClosedRange<Double>?
  /// The white-balance modes; empty for a camera whose white balance cannot be controlled.
  public var whiteBalanceModes: Set<CameraControls.WhiteBalanceMode.Kind>
  /// The gains of red and blue as factors; `nil` when the camera does not say.
  public var whiteBalanceGains: ClosedRange<Double>?
  /// The focus modes; empty for a camera with a fixed focus.
  public var focusModes: Set<CameraControls.FocusMode.Kind>
  /// Where the lens can be, in dioptres; `nil` when it cannot be placed.
  public var lensPositions: ClosedRange<Double>?
  /// The most by which the field of view can be narrowed, 1 or more; 1 for not at all.
  public var maximumVideoZoomFactor: Double
  /// The flicker avoidances; always with `off`.
  public var flickerAvoidances: Set<CameraControls.FlickerAvoidance>
  /// The noise reductions; empty when it cannot be controlled.
  public var noiseReductions: Set<CameraControls.NoiseReduction>
  /// The times between frames that the sensor itself can have; `nil` when the camera does not say.
  public var frameDurations: ClosedRange<Duration>?

  /// Makes capabilities; without arguments those of a camera that can only stream.
  public init(
    exposureModes: Set<CameraControls.ExposureMode.Kind> = [],
    exposureDurations: ClosedRange<Duration>? = nil, gains: ClosedRange<Double>? = nil,
    whiteBalanceModes: Set<CameraControls.WhiteBalanceMode.Kind> = [],
    whiteBalanceGains: ClosedRange<Double>? = nil,
    focusModes: Set<CameraControls.FocusMode.Kind> = [],
    lensPositions: ClosedRange<Double>? = nil, maximumVideoZoomFactor: Double = 1,
    flickerAvoidances: Set<CameraControls.FlickerAvoidance> = [.off],
    noiseReductions: Set<CameraControls.NoiseReduction> = [],
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
    self.frameDurations = frameDurations
  }
}
