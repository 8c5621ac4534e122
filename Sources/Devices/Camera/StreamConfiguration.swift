/// The wanted configuration of a camera's stream.
package struct StreamConfiguration: Sendable, Hashable, Codable {
  /// The wanted size; the camera takes its closest one.
  package var size: FrameSize
  /// The acceptable pixel formats, at least one.
  ///
  /// The format nearest in size is taken, and the first of equally near ones. On a USB cable, MJPEG
  /// is preferred where raw samples would be slow.
  package var pixelFormats: [PixelFormat]
  /// The wanted frames per second, above 0; `nil` keeps the camera's own.
  package var frameRate: Double?
  /// The number of finished frames that the camera keeps for ``Camera/lease(_:)``, 2 or more.
  package var ringFrameCount: Int
  /// The number of simultaneous leases that do not starve the ring, 1 or more.
  package var leasedFrameCount: Int
  /// The controls from the first frame on; by default all are left to the camera.
  package var controls: CameraControls
  /// Whether each frame shall have a raw frame of the same exposure (``FrameLease/raw``).
  ///
  /// A camera without raw frames streams all the same, which is an adjustment.
  package var wantsRaw = false
  /// The most columns of a small picture beside each frame (``FrameLease/preview``), 2 or more.
  ///
  /// The camera makes it at half of the frame's width at most, where it has a second stream. By
  /// default there is none.
  package var previewWidth: Int?

  package init(
    size: FrameSize, pixelFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv, .mjpeg, .rgb, .bgr],
    frameRate: Double? = nil, ringFrameCount: Int = 4, leasedFrameCount: Int = 3,
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

/// The camera's resolution of a ``StreamConfiguration``, and the differences from it.
package struct ResolvedStreamConfiguration: Sendable, Hashable, Codable {
  /// The frames' format.
  package var format: StreamFormat
  /// The total number of circulating buffers.
  package var bufferCount: Int
  /// The number of simultaneous leases that do not starve the camera, 1 or more.
  package var leasedFrameCount: Int
  /// The expected time between frames; `nil` when the camera does not report it.
  package var frameDuration: Duration?
  /// The time from the first row's readout to the last row's; zero for a global shutter.
  package var readoutDuration: Duration
  /// The clockwise rotation that the sensor leaves to the pictures: 0, 90, 180 or 270 degrees.
  package var rotation: Int
  /// The share of the sensor's field without zoom; `nil` when the camera does not report it.
  package var coverage: SensorCoverage?
  /// The layout of the raw frames; `nil` when there are none.
  package var raw: RawStreamFormat?
  /// The format of the small pictures beside the frames; `nil` when there are none.
  package var preview: StreamFormat?
  /// The differences from the wanted configuration, one sentence each; empty when there are none.
  package var adjustments: [String]

  package init(
    format: StreamFormat, bufferCount: Int, leasedFrameCount: Int, frameDuration: Duration?,
    readoutDuration: Duration, rotation: Int = 0, coverage: SensorCoverage? = nil,
    raw: RawStreamFormat? = nil, preview: StreamFormat? = nil, adjustments: [String]
  ) {
    self.format = format
    self.bufferCount = bufferCount
    self.leasedFrameCount = leasedFrameCount
    self.frameDuration = frameDuration
    self.readoutDuration = readoutDuration
    self.rotation = rotation
    self.coverage = coverage
    self.raw = raw
    self.preview = preview
    self.adjustments = adjustments
  }

  /// The adjustment of a camera that gives no raw frames.
  package static let noRaw = "The camera gives no raw frames, so there are no DNG files."
}

/// The share of a sensor's field that a stream shows.
package struct SensorCoverage: Sendable, Hashable, Codable {
  /// The share of the width, above 0, at most 1.
  package var width: Double
  /// The share of the height, above 0, at most 1.
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The share as a sentence; `nil` when at least 99 % of width and height are shown.
  package var sentence: String? {
    guard min(width, height) < 0.99 else { return nil }
    let (columns, rows) = (Int((width * 100).rounded()), Int((height * 100).rounded()))
    return "The picture shows \(columns) % of the sensor's width and \(rows) % of its height."
  }
}

extension StreamConfiguration {
  /// The longest frame that frame rate and exposure ask for; zero when the camera decides both.
  package var longestFrame: Duration {
    let frame = frameRate.map { Duration.seconds(1 / max($0, 0.001)) } ?? .zero
    return max(frame, controls.longestExposure)
  }
}
