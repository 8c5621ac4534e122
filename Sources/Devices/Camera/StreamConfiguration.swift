/// What is wanted of a camera's stream.
public struct StreamConfiguration: Sendable, Hashable, Codable {
  /// The wanted size; the camera takes the closest it has.
  public var size: FrameSize
  /// Acceptable pixel formats, at least one.
  ///
  /// The one that comes nearest in size is taken, and of equals the first, but at a USB cable MJPEG
  /// where raw samples would be slow.
  public var pixelFormats: [PixelFormat]
  /// Wanted frames a second, above 0; `nil` leaves the camera's own.
  public var frameRate: Double?
  /// How many finished frames the camera keeps for a later ``Camera/lease(_:)``, 2 or more.
  public var ringFrameCount: Int
  /// How many leases may be out at a time without starving the ring, 1 or more.
  public var leasedFrameCount: Int
  /// What the first frame already has; all left to the camera when nothing is said.
  public var controls: CameraControls

  /// Makes a configuration.
  public init(
    size: FrameSize, pixelFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv, .mjpeg, .rgb, .bgr],
    frameRate: Double? = nil, ringFrameCount: Int = 6, leasedFrameCount: Int = 3,
    controls: CameraControls = CameraControls()
  ) {
    self.size = size
    self.pixelFormats = pixelFormats
    self.frameRate = frameRate
    self.ringFrameCount = ringFrameCount
    self.leasedFrameCount = leasedFrameCount
    self.controls = controls
  }
}

/// What a camera makes of a ``StreamConfiguration``, and where it differs from what was wanted.
public struct ResolvedStreamConfiguration: Sendable, Hashable, Codable {
  /// The frames' format.
  public var format: StreamFormat
  /// How many buffers circulate in all.
  public var bufferCount: Int
  /// How many leases may be out at a time without starving the camera, 1 or more.
  public var leasedFrameCount: Int
  /// The time from one frame to the next that is expected; `nil` when the camera does not say.
  public var frameDuration: Duration?
  /// The time from the first row's readout to the last row's; zero for a global shutter.
  public var readoutDuration: Duration
  /// Clockwise degrees by which the pictures are still to be turned, because the sensor cannot do it:
  /// 0, 90, 180 or 270.
  public var rotation: Int
  /// How much of the sensor's field is shown without any zoom; `nil` when the camera does not say.
  public var coverage: SensorCoverage?
  /// Where the camera could not do what was wanted, one sentence each; empty when it could.
  public var adjustments: [String]

  /// Makes a resolved configuration.
  public init(
    format: StreamFormat, bufferCount: Int, leasedFrameCount: Int, frameDuration: Duration?,
    readoutDuration: Duration, rotation: Int = 0, coverage: SensorCoverage? = nil,
    adjustments: [String]
  ) {
    self.format = format
    self.bufferCount = bufferCount
    self.leasedFrameCount = leasedFrameCount
    self.frameDuration = frameDuration
    self.readoutDuration = readoutDuration
    self.rotation = rotation
    self.coverage = coverage
    self.adjustments = adjustments
  }
}

/// How much of what a sensor can show a stream shows.
public struct SensorCoverage: Sendable, Hashable, Codable {
  /// The share of the width, above 0, at most 1.
  public var width: Double
  /// The share of the height, above 0, at most 1.
  public var height: Double

  /// Makes a coverage.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// How much is shown, as a sentence; `nil` when all is, but for a hundredth.
  public var sentence: String? {
    guard min(width, height) < 0.99 else { return nil }
    let (columns, rows) = (Int((width * 100).rounded()), Int((height * 100).rounded()))
    return "The picture shows \(columns) % of the sensor's width and \(rows) % of its height."
  }
}

extension StreamConfiguration {
  /// The longest frame that is asked for by the frame rate and the exposure; zero when both are left
  /// to the camera.
  public var longestFrame: Duration {
    let frame = frameRate.map { Duration.seconds(1 / max($0, 0.001)) } ?? .zero
    return max(frame, controls.longestExposure)
  }
}
