package import Devices

/// The properties of a simulated camera: its sensor's modes, its pipeline and its delays.
package struct SimulatedCameraModel: Sendable, Hashable {
  /// A mode in which the sensor reads its pixels out.
  package struct SensorMode: Sendable, Hashable {
    /// The numbers of columns and rows that are read out.
    package var size: FrameSize
    /// The maximum number of frames per second.
    package var maximumFrameRate: Double
    /// The time from the first row's readout to the last row's.
    package var readoutDuration: Duration

    package init(size: FrameSize, maximumFrameRate: Double, readoutDuration: Duration) {
      self.size = size
      self.maximumFrameRate = maximumFrameRate
      self.readoutDuration = readoutDuration
    }
  }

  /// The camera's ID, which stays the same over restarts.
  package var id: CameraDescription.ID
  /// The sensor's name.
  package var model: String
  /// The direction in which the camera looks.
  package var position: CameraDescription.Position
  /// The clockwise turn by which the camera is fixed in the rig, as seen from behind it.
  ///
  /// The picture is turned by the rig's turn and this one.
  package var mounting: QuarterTurn
  /// The modes of the sensor, the largest first; at least one.
  package var modes: [SensorMode]
  /// The available pixel formats, among `yuv420`, `nv12`, `rgb` and `bgr`.
  package var pixelFormats: [PixelFormat]
  /// The frame durations between the end of a frame's exposure and its delivery, 0 or more.
  ///
  /// On a Pi the value is about 3 at 30 frames per second. The delivery is never before the end of
  /// the readout.
  package var pipelineLatency: Double
  /// The number of frames after which a new exposure or gain takes effect.
  package var exposureDelay: Int
  /// The number of frames after which a new frame rate takes effect.
  package var frameRateDelay: Int
  /// The number of frames swallowed after a cold start while the automatics settle.
  ///
  /// No frame is swallowed when exposure and white balance are fixed.
  package var startUpFrames: Int
  /// The number of frames of the automatics' reaction to a change of light, and of a focus scan.
  package var settlingFrames: Int
  /// The camera's controls and raw frames.
  ///
  /// ``CameraCapabilities/frameDurations`` is computed from the mode. Raw frames have 12 bits of a
  /// color mosaic, without compression.
  package var capabilities: CameraCapabilities
  /// Whether the camera has a second stream, which gives previews in YUV420.
  package var hasSecondStream = true

  /// Makes a model, by default a Camera Module 3 (IMX708) on a Pi.
  package init(
    id: CameraDescription.ID = "/base/simulated/imx708@1a", model: String = "imx708",
    position: CameraDescription.Position = .back, mounting: QuarterTurn = .none,
    modes: [SensorMode] = SimulatedCameraModel.imx708Modes,
    pixelFormats: [PixelFormat] = [.yuv420, .nv12, .rgb, .bgr], pipelineLatency: Double = 3,
    exposureDelay: Int = 2, frameRateDelay: Int = 3, startUpFrames: Int = 6,
    settlingFrames: Int = 6, capabilities: CameraCapabilities = SimulatedCameraModel.allControls
  ) {
    self.id = id
    self.model = model
    self.position = position
    self.mounting = mounting
    self.modes = modes
    self.pixelFormats = pixelFormats
    self.pipelineLatency = pipelineLatency
    self.exposureDelay = exposureDelay
    self.frameRateDelay = frameRateDelay
    self.startUpFrames = startUpFrames
    self.settlingFrames = settlingFrames
    self.capabilities = capabilities
  }

  /// The modes of a Sony IMX708: full, halved, and halved and cropped.
  package static let imx708Modes = [
    SensorMode(
      size: FrameSize(width: 4608, height: 2592), maximumFrameRate: 14.35,
      readoutDuration: .microseconds(68_900)),
    SensorMode(
      size: FrameSize(width: 2304, height: 1296), maximumFrameRate: 56,
      readoutDuration: .microseconds(17_500)),
    SensorMode(
      size: FrameSize(width: 1536, height: 864), maximumFrameRate: 120,
      readoutDuration: .microseconds(8_100)),
  ]

  /// All existing controls, with an IMX708's limits.
  package static let allControls: CameraCapabilities = {
    var all = CameraCapabilities(
      exposureDurations: .microseconds(20)...(.seconds(9)), gains: 1...16,
      whiteBalanceGains: 0.1...32, lensPositions: 0...15, maximumVideoZoomFactor: 8,
      imageControls: Dictionary(
        uniqueKeysWithValues: ImageControl.allCases.map { ($0, $0.range) }))
    for control in CameraControl.allCases {
      for word in control.words { control.insert(word, into: &all) }
    }
    all.rawFormat = RawFormat(mosaic: .rggb, bitDepth: 12, packing: .csi2)
    return all
  }()

  /// Makes a camera without controls, as a plain USB camera is.
  package static func withoutControls(
    id: CameraDescription.ID = "/base/simulated/plain@0"
  ) -> SimulatedCameraModel {
    var plain = SimulatedCameraModel(
      id: id, model: "plain", position: .external,
      modes: [
        SensorMode(
          size: FrameSize(width: 1280, height: 720), maximumFrameRate: 30, readoutDuration: .zero)
      ],
      pixelFormats: [.yuv420], startUpFrames: 0, capabilities: CameraCapabilities())
    plain.hasSecondStream = false
    return plain
  }

  /// The camera's entry in a system's list.
  package var description: CameraDescription {
    CameraDescription(
      id: id, model: model, position: position,
      mountingRotation: (360 - mounting.rawValue) % 360, largestSize: modes.first?.size)
  }
}
