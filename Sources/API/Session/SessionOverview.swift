/// The session, its settings, and its cameras.
///
/// The report answers `/v1/session` and all requests that change the session.
package struct SessionOverview: Sendable, Hashable, Codable {
  /// The state of the session and its camera.
  ///
  /// `size` and `adjustments` show the camera's response to ``settings``, and `frameRate` is the
  /// actual rate of frames.
  package let session: SessionReport
  /// The wanted settings, which are in force.
  package let settings: SessionSettingsReport
  /// The controls that are set at the camera; `nil` while there is no stream.
  package let controls: ControlsReport?
  /// The calibration of the camera in use; `nil` when it has none.
  package let calibration: CalibrationReport?
  /// The range of lens positions of the camera in use.
  ///
  /// `nil` when the lens cannot be placed, and while there is no stream.
  package let lens: LensReport?
  /// The roles of all cameras of the rig, in their order.
  package let cameras: [String]
  /// The readiness for a press.
  package let readiness: ReadinessReport

  package init(
    session: SessionReport, settings: SessionSettingsReport, controls: ControlsReport? = nil,
    calibration: CalibrationReport? = nil, lens: LensReport? = nil, cameras: [String],
    readiness: ReadinessReport
  ) {
    self.session = session
    self.settings = settings
    self.controls = controls
    self.calibration = calibration
    self.lens = lens
    self.cameras = cameras
    self.readiness = readiness
  }
}

/// The settings of a session, as they were wanted.
package struct SessionSettingsReport: Sendable, Hashable, Codable {
  /// The role of the wanted camera.
  package let camera: String
  /// The preset: `document`, `1080p`, `full` or `custom`.
  package let preset: String
  /// The wanted size in pixels; only with the preset `custom`.
  package let size: SizeReport?
  /// The wanted frames a second, or `own`.
  package let frameRate: FrameRateWish
  /// The factor by which the field of view is narrowed, 1 or more.
  package let zoom: Double
  /// The wanted mode of exposure.
  package let exposure: ExposureWish
  /// The wanted mode of white balance.
  package let whiteBalance: WhiteBalanceWish
  /// The wanted mode of focus.
  package let focus: FocusWish
  /// The mains frequency that the automatic exposure must not beat with.
  package let flicker: FlickerWish
  /// The priority: `speed`, `balanced` or `quality`.
  package let prioritization: String
  /// Whether quality may be lowered before presses have to be refused.
  package let fastCapture: Bool

  package init(
    camera: String, preset: String, size: SizeReport? = nil, frameRate: FrameRateWish = .own,
    zoom: Double = 1, exposure: ExposureWish = .own, whiteBalance: WhiteBalanceWish = .own,
    focus: FocusWish = .own, flicker: FlickerWish = .off, prioritization: String = "balanced",
    fastCapture: Bool = true
  ) {
    self.camera = camera
    self.preset = preset
    self.size = size
    self.frameRate = frameRate
    self.zoom = zoom
    self.exposure = exposure
    self.whiteBalance = whiteBalance
    self.focus = focus
    self.flicker = flicker
    self.prioritization = prioritization
    self.fastCapture = fastCapture
  }
}

/// The controls in force: exposure, white balance, focus, zoom and noise reduction.
///
/// The controls follow the wanted settings. The camera's calibration fills the settings that are
/// left open, and the camera's capabilities limit all of them.
package struct ControlsReport: Sendable, Hashable, Codable {
  /// The factor by which the field of view is narrowed, 1 or more.
  package let zoom: Double
  /// The mode of exposure.
  package let exposure: ExposureWish
  /// The mode of white balance.
  package let whiteBalance: WhiteBalanceWish
  /// The mode of focus.
  package let focus: FocusWish
  /// The mains frequency that the automatic exposure must not beat with.
  package let flicker: FlickerWish
  /// The noise reduction: `minimal`, `fast` or `highQuality`; `nil` for the camera's own.
  package let noiseReduction: String?
  /// Whether a calibration fixes at least one of the controls.
  package let isCalibrated: Bool
  /// The differences from the settings and the missing controls, a sentence for each.
  package let notes: [String]

  package init(
    zoom: Double, exposure: ExposureWish, whiteBalance: WhiteBalanceWish, focus: FocusWish,
    flicker: FlickerWish, noiseReduction: String?, isCalibrated: Bool, notes: [String]
  ) {
    self.zoom = zoom
    self.exposure = exposure
    self.whiteBalance = whiteBalance
    self.focus = focus
    self.flicker = flicker
    self.noiseReduction = noiseReduction
    self.isCalibrated = isCalibrated
    self.notes = notes
  }
}

/// The interruptions and warnings of this run: the answer to `GET /v1/session/interruptions`.
package struct InterruptionList: Sendable, Hashable, Codable {
  /// The lasting interruptions, the oldest first.
  package let lasting: [InterruptionReport]
  /// The ended interruptions, the newest first; the last 100 are kept.
  package let ended: [InterruptionReport]

  package init(lasting: [InterruptionReport], ended: [InterruptionReport]) {
    self.lasting = lasting
    self.ended = ended
  }
}
