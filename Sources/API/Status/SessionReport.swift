/// What the capture session and its camera do.
public struct SessionReport: Sendable, Hashable, Codable {
  /// The state: `stopped`, `waitingForCamera` or `running`; readiness says what interrupts it.
  public let state: String
  /// The camera; `nil` when none is open.
  public let camera: CameraReport?
  /// The pictures' size in pixels; `nil` while nothing is configured.
  public let size: SizeReport?
  /// The frames' pixel format, for example `yuv420`; `nil` while nothing is configured.
  public let pixelFormat: String?
  /// Frames a second; `nil` when not known.
  public let frameRate: Double?
  /// Where the camera could not do what the configuration wants, one sentence each.
  public let adjustments: [String]
  /// How many frames have come since the service started.
  public let framesSeen: UInt64
  /// How long ago the last frame came, in milliseconds; `nil` when none has come.
  public let lastFrameAgeMilliseconds: Double?
  /// What the camera in use is for, for example `main`; `nil` when none is open.
  public let cameraRole: String?
  /// Whether the standby has taken over because the wanted camera failed again and again.
  public let isStandbyInUse: Bool?
  /// The camera's last fault in words; `nil` when there was none.
  public let lastFault: String?
  /// What was tried after it, for example `reopenCamera`; `nil` when there was none.
  public let lastRecovery: String?
  /// How long it took until frames came again, in milliseconds; `nil` when there was none.
  public let lastOutageMilliseconds: Double?
  /// The preset that ``size`` comes of: `document`, `1080p`, `full` or a wanted size.
  public let preset: String?
  /// The process that has the cameras; `nil` when it is the service's.
  public let cameraProcess: CameraProcessReport?
  /// The lamp over the page; `nil` when there is none or it has not been needed yet.
  public let lamp: LampReport?

  /// Makes a report.
  public init(
    state: String, camera: CameraReport? = nil, size: SizeReport? = nil,
    pixelFormat: String? = nil, frameRate: Double? = nil, adjustments: [String] = [],
    framesSeen: UInt64 = 0, lastFrameAgeMilliseconds: Double? = nil, cameraRole: String? = nil,
    isStandbyInUse: Bool? = nil, lastFault: String? = nil, lastRecovery: String? = nil,
    lastOutageMilliseconds: Double? = nil, preset: String? = nil,
    cameraProcess: CameraProcessReport? = nil, lamp: LampReport? = nil
  ) {
    self.state = state
    self.camera = camera
    self.size = size
    self.pixelFormat = pixelFormat
    self.frameRate = finite(frameRate)
    self.adjustments = adjustments
    self.framesSeen = framesSeen
    self.lastFrameAgeMilliseconds = finite(lastFrameAgeMilliseconds)
    self.cameraRole = cameraRole
    self.isStandbyInUse = isStandbyInUse
    self.lastFault = lastFault
    self.lastRecovery = lastRecovery
    self.lastOutageMilliseconds = finite(lastOutageMilliseconds)
    self.preset = preset
    self.cameraProcess = cameraProcess
    self.lamp = lamp
  }
}

/// The lamp over the page.
public struct LampReport: Sendable, Hashable, Codable {
  /// Whether it is lit, as far as it obeyed.
  public let isLit: Bool
  /// What was wrong when it was switched last; `nil` when it obeyed.
  public let fault: String?

  /// Makes a report.
  public init(isLit: Bool, fault: String? = nil) {
    self.isLit = isLit
    self.fault = fault
  }
}

/// A camera by name.
public struct CameraReport: Sendable, Hashable, Codable {
  /// The name that stays the same over restarts.
  public let id: String
  /// The sensor's or the camera's model.
  public let model: String

  /// Makes a report.
  public init(id: String, model: String) {
    self.id = id
    self.model = model
  }
}

/// Width and height in pixels.
public struct SizeReport: Sendable, Hashable, Codable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
