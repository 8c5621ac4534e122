public import Devices

/// What a simulated camera is like: its sensor's modes, its pipeline and its habits.
public struct SimulatedCameraModel: Sendable, Hashable {
  /// A way in which the sensor reads its pixels out.
  public struct SensorMode: Sendable, Hashable {
    /// Columns and rows that are read out.
    public var size: FrameSize
    /// The most frames a second.
    public var maximumFrameRate: Double
    /// The time from the first row's readout to the last row's.
    public var readoutDuration: Duration

    /// Makes a mode.
    public init(size: FrameSize, maximumFrameRate: Double, readoutDuration: Duration) {
      self.size = size
      self.maximumFrameRate = maximumFrameRate
      self.readoutDuration = readoutDuration
    }
  }

  /// The name that stays the same over restarts.
  public var id: CameraDescription.ID
  /// The sensor's name.
  public var model: String
  /// Where the camera is said to look.
  public var position: CameraDescription.Position
  /// The clockwise turn by which the camera is fixed in the rig, as seen from behind it; the picture
  /// is turned by the rig's turn and this one.
  public var mounting: QuarterTurn
  /// The modes of the sensor, the largest first; at least one.
  public var modes: [SensorMode]
  /// The pixel formats on offer: of `yuv420`, `nv12`, `rgb` and `bgr`.
  public var pixelFormats: [PixelFormat]
  /// Frame durations between the end of a frame's exposure and its delivery, 0 or more.
  ///
  /// On a Pi about 3 at 30 frames a second; the readout's end is never undercut.
  public var pipelineLatency: Double
  /// After how many frames a new exposure or gain takes effect.
  public var exposureDelay: Int
  /// After how many frames a new frame rate takes effect.
  public var frameRateDelay: Int
  /// How many frames are swallowed after a cold start while the automatics settle; none when
  /// exposure and white balance are fixed.
  public var startUpFrames: Int
  /// How many frames the automatics take to follow a change of the light, and a scan for the focus.
  public var settlingFrames: Int
  /// Which controls the camera has; ``CameraCapabilities/frameDurations`` is worked out from the
  /// mode.
  public var capabilities: CameraCapabilities

  /// Makes a model; without arguments a Camera Module 3 (IMX708) on a Pi.
  public init(
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

  /// The modes of a Sony IMX708: full, halved, halved and cropped.
  public static let imx708Modes = [
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

  /// All controls there are, with an IMX708's limits.
  public static let allControls = CameraCapabilities(
    exposureModes: Set(CameraControls.ExposureMode.Kind.allCases),
    exposureDurations: .microseconds(20)...(.seconds(9)), gains: 1...16,
    whiteBalanceModes: Set(CameraControls.WhiteBalanceMode.Kind.allCases),
    whiteBalanceGains: 0.1...32, focusModes: Set(CameraControls.FocusMode.Kind.allCases),
    lensPositions: 0...15, maximumVideoZoomFactor: 8,
    flickerAvoidances: Set(CameraControls.FlickerAvoidance.allCases),
    noiseReductions: Set(CameraControls.NoiseReduction.allCases))

  /// A camera that streams and can do nothing else, as a plain USB camera.
  public static func withoutControls(
    id: CameraDescription.ID = "/base/simulated/plain@0"
  ) -> SimulatedCameraModel {
    SimulatedCameraModel(
      id: id, model: "plain", position: .external,
      modes: [
        SensorMode(
          size: FrameSize(width: 1280, height: 720), maximumFrameRate: 30, readoutDuration: .zero)
      ],
      pixelFormats: [.yuv420], startUpFrames: 0, capabilities: CameraCapabilities())
  }

  /// The camera as a system lists it.
  public var description: CameraDescription {
    CameraDescription(
      id: id, model: model, position: position,
      mountingRotation: (360 - mounting.rawValue) % 360, largestSize: modes.first?.size)
  }
}
