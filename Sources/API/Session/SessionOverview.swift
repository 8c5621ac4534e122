/// The session, what it is set to, and its cameras: the answer to `/v1/session` and to all that
/// changes it.
public struct SessionOverview: Sendable, Hashable, Codable {
  /// The state of the session and its camera; `size` and `adjustments` in it are what the camera made of
  /// ``settings``, and `frameRate` is that at which frames come.
  public let session: SessionReport
  /// What was wanted, and holds.
  public let settings: SessionSettingsReport
  /// What of it is set at the camera; `nil` while there is no stream.
  public let controls: ControlsReport?
  /// The calibration of the camera in use; `nil` when it has none.
  public let calibration: CalibrationReport?
  /// Where the lens of the camera in use can be placed; `nil` when it cannot, and while there is no
  /// stream.
  public let lens: LensReport?
  /// The roles of all cameras of the rig, in their order.
  public let cameras: [String]
  /// Whether a press would be taken.
  public let readiness: ReadinessReport

  /// Makes an overview.
  public init(
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

/// What a session is set to, as it was wanted.
public struct SessionSettingsReport: Sendable, Hashable, Codable {
  /// The role of the wanted camera.
  public let camera: String
  /// `document`, `1080p`, `full` or `custom`.
  public let preset: String
  /// The wanted size in pixels; only with the preset `custom`.
  public let size: SizeReport?
  /// Wanted frames a second, or `own`.
  public let frameRate: FrameRateWish
  /// The factor by which the field of view is narrowed, 1 or more.
  public let zoom: Double
  /// How the exposure is found.
  public let exposure: ExposureWish
  /// How the white balance is found.
  public let whiteBalance: WhiteBalanceWish
  /// How the focus is found.
  public let focus: FocusWish
  /// Which mains frequency the automatic exposure must not beat with.
  public let flicker: FlickerWish
  /// What counts more: `speed`, `balanced` or `quality`.
  public let prioritization: String
  /// Whether quality may be lowered before presses have to be refused.
  public let fastCapture: Bool

  /// Makes a report.
  public init(
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

/// What is set of exposure, white balance, focus, zoom and noise reduction: the wanted settings, the
/// camera's calibration for what they leave open, and what the camera offers.
public struct ControlsReport: Sendable, Hashable, Codable {
  /// The factor by which the field of view is narrowed, 1 or more.
  public let zoom: Double
  /// How the exposure is found.
  public let exposure: ExposureWish
  /// How the white balance is found.
  public let whiteBalance: WhiteBalanceWish
  /// How the focus is found.
  public let focus: FocusWish
  /// Which mains frequency the automatic exposure must not beat with.
  public let flicker: FlickerWish
  /// `minimal`, `fast` or `highQuality`; `nil` when it is left to the camera.
  public let noiseReduction: String?
  /// Whether a calibration fixes something of it.
  public let isCalibrated: Bool
  /// Where it differs from the settings and where nothing is offered, one sentence each.
  public let notes: [String]

  /// Makes a report.
  public init(
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
public struct InterruptionList: Sendable, Hashable, Codable {
  /// Those that last, the oldest first.
  public let lasting: [InterruptionReport]
  /// Those that have ended, the newest first; the last 100 are kept.
  public let ended: [InterruptionReport]

  /// Makes a list.
  public init(lasting: [InterruptionReport], ended: [InterruptionReport]) {
    self.lasting = lasting
    self.ended = ended
  }
}
