/// The description of a finished frame without its pixels.
package struct FrameInfo: Sendable, Hashable, Codable {
  /// The frame's number, unique and ascending for a ``Camera``, even across stream restarts.
  package var id: UInt64
  /// The driver's own number of the frame.
  ///
  /// On a Raspberry Pi the number counts the image processor's frames, so frames that the sensor
  /// dropped leave no gap.
  package var sequence: UInt64
  /// The beginning of the first row's readout, when its exposure ends (`SensorTimestamp`).
  package var timestamp: MonotonicInstant
  /// Whether the camera's own time was reliable; otherwise ``timestamp`` is the arrival's time.
  package var isTimestampKnown = true
  /// The exposure duration of each row; `nil` when the camera does not report it.
  package var exposureDuration: Duration?
  /// The time from the first row's readout to the last row's; zero for a global shutter.
  package var readoutDuration: Duration
  /// The time to the next frame as the camera reports it; `nil` when it does not.
  package var frameDuration: Duration?
  /// The gain before the converter as a factor, 1 or more; `nil` when unreported.
  package var analogueGain: Double?
  /// The gain behind the converter as a factor, 1 or more; `nil` when unreported.
  package var digitalGain: Double?
  /// The lens position in diopters (0 is infinity); `nil` when the camera does not report it.
  package var lensPosition: Double?
  /// The state of the automatic exposure; `nil` when the camera does not report it.
  package var exposureState: AdjustmentState?
  /// The state of the automatic white balance; `nil` when the camera does not report it.
  package var whiteBalanceState: AdjustmentState?
  /// The gains of red and blue; `nil` when the camera does not report them.
  package var whiteBalanceGains: WhiteBalanceGains?
  /// The light's color temperature in kelvins; `nil` when the camera does not report it.
  package var colorTemperature: Int?
  /// The state of the lens; `nil` when the camera does not report it.
  package var focusState: FocusState?
  /// The part of the sensor that the frame shows; `nil` when the camera does not report it.
  package var crop: SensorRegion?
  /// The factor that narrowed the field of view, 1 or more; `nil` when unreported.
  package var videoZoomFactor: Double?

  package init(
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

  /// The middle of the center row's exposure.
  ///
  /// With a rolling shutter row *r* of *H* is exposed in [T + r·L − E, T + r·L]. T is
  /// ``timestamp``, E the exposure and H·L = R the readout. The center row's midpoint is T − E/2 +
  /// R/2.
  package var exposureMidpoint: MonotonicInstant {
    timestamp.advanced(by: readoutDuration / 2 - (exposureDuration ?? .zero) / 2)
  }

  /// Whether ``exposureMidpoint`` is exact.
  ///
  /// A USB camera reports neither exposure nor readout. Its driver stamps the first packet, which
  /// many cameras send a frame after the exposure. The frame's moment lies some 20 to 60 ms before
  /// that timestamp.
  package var isMidpointKnown: Bool { exposureDuration != nil && isTimestampKnown }

  /// The ISO speed of the gains, gain 1 being ISO 100; `nil` when no finite gain is known.
  package var isoSpeed: Int? {
    guard let analogueGain else { return nil }
    return Int(exactly: (analogueGain * (digitalGain ?? 1) * 100).rounded())
  }
}
