/// What is known of a finished frame without touching its pixels.
public struct FrameInfo: Sendable, Hashable, Codable {
  /// The frame's number, unique and ascending as long as the ``Camera`` lives, also across restarts of the stream.
  public var id: UInt64
  /// The driver's own number of the frame.
  ///
  /// On a Raspberry Pi it counts what the image processor made, so that frames which the sensor dropped
  /// leave no gap.
  public var sequence: UInt64
  /// When the first row's readout began, which is the end of its exposure (libcamera's `SensorTimestamp`).
  public var timestamp: MonotonicInstant
  /// Whether the camera's own time could be believed; else ``timestamp`` is that of the arrival.
  public var isTimestampKnown = true
  /// How long each row was exposed; `nil` when the camera does not say.
  public var exposureDuration: Duration?
  /// The time from the first row's readout to the last row's; zero for a global shutter.
  public var readoutDuration: Duration
  /// The time to the next frame as the camera reports it; `nil` when it does not.
  public var frameDuration: Duration?
  /// Gain before the converter as a factor, 1 or more; `nil` when the camera does not say.
  public var analogueGain: Double?
  /// Gain behind the converter as a factor, 1 or more; `nil` when the camera does not say.
  public var digitalGain: Double?
  /// The lens position in dioptres (0 is infinity); `nil` when the camera does not say.
  public var lensPosition: Double?
  /// How far the automatic exposure had come; `nil` when the camera does not say.
  public var exposureState: AdjustmentState?
  /// How far the automatic white balance had come; `nil` when the camera does not say.
  public var whiteBalanceState: AdjustmentState?
  /// The gains of red and blue; `nil` when the camera does not say.
  public var whiteBalanceGains: WhiteBalanceGains?
  /// The light's colour temperature in kelvins as the camera judges it; `nil` when it does not.
  public var colorTemperature: Int?
  /// What the lens was doing; `nil` when the camera does not say.
  public var focusState: FocusState?
  /// Which part of the sensor the frame shows; `nil` when the camera does not say.
  public var crop: SensorRegion?
  /// By how much the field of view was narrowed, 1 or more; `nil` when the camera does not say.
  public var videoZoomFactor: Double?

  /// Makes a frame's description.
  public init(
    id: UInt64, sequence: UInt64, timestamp: MonotonicInstant, exposureDuration: Duration? = nil,
    readoutDuration: Duration = .zero, frameDuration: Duration? = nil, analogueGain: Double? = nil,
    digitalGain: Double? = nil, lensPosition: Double? = nil,
    exposureState: AdjustmentState? = nil, whiteBalanceState: AdjustmentState? = nil,
    whiteBalanceGains: WhiteBalanceGains? = nil, colorTemperature: Int? = nil,
    focusState: FocusState? = nil, crop: SensorRegion? = nil, videoZoomFactor: Double? = nil
  ) {
    self.id = id
    self.sequence = sequence
    self.timestamp = timestamp
    self.exposureDuration = exposureDuration
    self.readoutDuration = readoutDuration
    self.frameDuration = frameDuration
    self.analogueGain = analogueGain
    self.digitalGain = digitalGain
    self.lensPosition = lensPosition
    self.exposureState = exposureState
    self.whiteBalanceState = whiteBalanceState
    self.whiteBalanceGains = whiteBalanceGains
    self.colorTemperature = colorTemperature
    self.focusState = focusState
    self.crop = crop
    self.videoZoomFactor = videoZoomFactor
  }

  /// The middle of the centre row's exposure.
  ///
  /// With a rolling shutter row *r* of *H* is exposed in [T + r·L − E, T + r·L], where T is
  /// ``timestamp``, E the exposure and H·L the readout; the centre row's midpoint is T − E/2 + R/2.
  public var exposureMidpoint: MonotonicInstant {
    timestamp.advanced(by: readoutDuration / 2 - (exposureDuration ?? .zero) / 2)
  }

  /// Whether ``exposureMidpoint`` is what it is called.
  ///
  /// A USB camera tells neither exposure nor readout, and its driver stamps the first packet, which many
  /// send a frame after the exposure: what it shows lies some 20 to 60 ms before its timestamp.
  public var isMidpointKnown: Bool { exposureDuration != nil && isTimestampKnown }

  /// The ISO speed that the gains amount to, gain 1 being ISO 100; `nil` when no gain is known.
  public var isoSpeed: Int? {
    guard let analogueGain else { return nil }
    return Int((analogueGain * (digitalGain ?? 1) * 100).rounded())
  }
}
