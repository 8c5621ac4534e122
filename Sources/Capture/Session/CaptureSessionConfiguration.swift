public import Devices

/// What a ``CaptureSession`` is told about its camera and its patience.
public struct CaptureSessionConfiguration: Sendable, Hashable {
  /// Which camera is meant.
  public enum CameraChoice: Sendable, Hashable, CustomStringConvertible {
    /// The first one in the order of IDs.
    case first
    /// The one with that ID.
    case id(CameraDescription.ID)
    /// The first one that looks that way.
    case position(CameraDescription.Position)

    /// The choice in words.
    public var description: String {
      switch self {
      case .first: "any camera"
      case .id(let id): "camera \"\(id)\""
      case .position(let position): "camera with position \"\(position.rawValue)\""
      }
    }
  }

  /// Which camera to use.
  public var camera: CameraChoice
  /// What to ask of it.
  public var stream: StreamConfiguration
  /// The clockwise angle by which the camera is turned in the rig: 0, 90, 180 or 270.
  public var mountingAngle: Int
  /// How long no frame may come before the camera counts as stalled; stretched to three frames
  /// when frames are slower than that.
  public var stallTimeout: Duration
  /// How long a stalled camera may recover by itself before its stream is started anew.
  public var stallPatience: Duration
  /// How long a press waits for a frame at or after it.
  public var maximumWait: Duration
  /// The frame rate at ``ThermalState/serious`` and above, in frames a second.
  public var seriousFrameRate: Double

  /// Makes a configuration.
  public init(
    camera: CameraChoice, stream: StreamConfiguration, mountingAngle: Int = 0,
    stallTimeout: Duration = .milliseconds(1500), stallPatience: Duration = .seconds(2),
    maximumWait: Duration = .seconds(2), seriousFrameRate: Double = 5
  ) {
    self.camera = camera
    self.stream = stream
    self.mountingAngle = mountingAngle
    self.stallTimeout = stallTimeout
    self.stallPatience = stallPatience
    self.maximumWait = maximumWait
    self.seriousFrameRate = seriousFrameRate
  }
}

/// A frame that was taken for a press, on its way to be encoded and stored.
public struct CapturedPhoto: Sendable {
  /// The press.
  public var press: Press
  /// Which frame was chosen, and how far it lies from the press.
  public var selection: FrameSelection
  /// The frame; its memory goes back to the camera when the last reference is gone.
  public var frame: FrameLease
  /// The clockwise angle by which the picture has to be turned to be upright.
  public var captureAngle: Int
  /// The camera it came from.
  public var camera: CameraDescription

  /// Makes a photo from a frame that was chosen for a press.
  public init(
    press: Press, selection: FrameSelection, frame: FrameLease, captureAngle: Int,
    camera: CameraDescription
  ) {
    self.press = press
    self.selection = selection
    self.frame = frame
    self.captureAngle = captureAngle
    self.camera = camera
  }
}

/// What a ``CaptureSession`` tells those who listen.
public enum CaptureEvent: Sendable {
  /// Readiness changed.
  case readiness(Readiness)
  /// A press was entered, its frame was chosen, or it got its outcome.
  case press(PressRecord)
  /// The session's camera, stream or counters changed in a way worth showing.
  case session(CaptureSessionStatus)
  /// The capture angle changed.
  case rotation(captureAngle: Int)
}

/// How a session stands.
public struct CaptureSessionStatus: Sendable, Hashable {
  /// Whether the session has been started and not stopped.
  public var isRunning = false
  /// The camera in use; `nil` while there is none.
  public var camera: CameraDescription?
  /// What the stream looks like; `nil` while there is none.
  public var stream: ResolvedStreamConfiguration?
  /// Frames seen since the session started.
  public var frameCount: UInt64 = 0
  /// Frames that the driver marked as damaged.
  public var damagedFrameCount: UInt64 = 0
  /// Sensor frames that never arrived, by gaps in the driver's numbers.
  public var droppedFrameCount: UInt64 = 0
  /// Streams started since the session started.
  public var streamStartCount = 0
  /// When the newest frame arrived.
  public var lastFrameArrival: MonotonicInstant?
  /// The last fault of the camera in words; `nil` when there was none.
  public var lastFault: String?

  /// Makes the status of a session that has not been started.
  public init() {}
}
