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

  /// Makes a report.
  public init(
    state: String, camera: CameraReport? = nil, size: SizeReport? = nil,
    pixelFormat: String? = nil, frameRate: Double? = nil, adjustments: [String] = [],
    framesSeen: UInt64 = 0, lastFrameAgeMilliseconds: Double? = nil
  ) {
    self.state = state
    self.camera = camera
    self.size = size
    self.pixelFormat = pixelFormat
    self.frameRate = finite(frameRate)
    self.adjustments = adjustments
    self.framesSeen = framesSeen
    self.lastFrameAgeMilliseconds = finite(lastFrameAgeMilliseconds)
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
