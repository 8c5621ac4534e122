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

    /// The ID, when that is what is chosen by.
    var id: CameraDescription.ID? {
      if case .id(let id) = self { id } else { nil }
    }

    /// The choice in words.
    public var description: String {
      switch self {
      case .first: "any camera"
      case .id(let id): "camera \"\(id)\""
      case .position(let position): "camera with position \"\(position.rawValue)\""
      }
    }
  }

  /// The cameras by what they are for; the role of ``settings`` must be among them.
  public var cameras: [CameraRole: CameraChoice]
  /// Which camera takes over when the one in use fails again and again; `nil` for none.
  public var standby: CameraRole?
  /// What the session begins with.
  public var settings: SessionSettings
  /// What else to ask of a camera; its size, frame rate and controls are those of the settings.
  public var stream: StreamConfiguration
  /// The clockwise angle by which the camera is turned in the rig: 0, 90, 180 or 270.
  public var mountingAngle: Int
  /// How long no frame may come before the camera counts as stalled; stretched to three frames
  /// when frames are slower than that.
  public var stallTimeout: Duration
  /// How long a stalled camera may recover by itself before its stream is started anew.
  public var stallPatience: Duration
  /// How long a press waits for a frame at or after it; longer by the lamp's lead time when the
  /// lamp has to be lit first.
  public var maximumWait: Duration
  /// How long after a press a frame is waited for in which exposure, white balance and focus have
  /// settled; zero takes the nearest frame as it is.
  public var settlingLimit = Duration.zero
  /// When the lamp is lit, if there is one.
  public var lamp = LampPolicy()
  /// How many captures may be in flight, 1 or more: presses beyond that are refused.
  public var maximumCapturesInFlight: Int
  /// How patient the recovery is.
  public var recovery: RecoveryLadder.Policy
  /// What an earlier run of the service did for the camera; shown until something else is done.
  public var earlierRecovery: EarlierRecovery?
  /// What a capture delivers, in this order, besides the photo itself.
  public var additionalDeliveries: [PhotoDelivery.Kind]
  /// The prioritisations that give the same picture as the next better one does, because whoever
  /// makes the pictures can do no less.
  public var indistinctPrioritizations: Set<QualityPrioritization> = []
  /// The press of the newest picture of an earlier run, which a retake replaces; `nil` for none.
  public var latestStoredPress: Int64?

  /// Makes the configuration of a session with one camera.
  ///
  /// - Parameters:
  ///   - camera: the camera for ``CameraRole/main``.
  ///   - stream: what to ask of it; its size, frame rate and controls become the settings.
  ///   - mountingAngle: 0, 90, 180 or 270.
  public init(
    camera: CameraChoice, stream: StreamConfiguration, mountingAngle: Int = 0,
    stallTimeout: Duration = .milliseconds(1500), stallPatience: Duration = .seconds(2),
    maximumWait: Duration = .seconds(2)
  ) {
    cameras = [.main: camera]
    settings = SessionSettings(
      preset: .custom(stream.size), frameRate: stream.frameRate, controls: stream.controls)
    self.stream = stream
    self.mountingAngle = mountingAngle
    self.stallTimeout = stallTimeout
    self.stallPatience = stallPatience
    self.maximumWait = maximumWait
    maximumCapturesInFlight = stream.leasedFrameCount
    recovery = RecoveryLadder.Policy()
    additionalDeliveries = []
  }

  /// What to ask of a camera for settings.
  ///
  /// One lease more than captures may be in flight is for the frame that is held while a gesture
  /// is not decided yet.
  func stream(
    for settings: SessionSettings, of camera: CameraDescription, controls: CameraControls
  ) -> StreamConfiguration {
    var wanted = stream
    wanted.size = settings.preset.size(for: camera)
    wanted.frameRate = settings.frameRate
    wanted.controls = controls
    wanted.leasedFrameCount = maximumCapturesInFlight + 1
    return wanted
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
  /// What the capture will give.
  public var settings: ResolvedPhotoSettings
  /// Whether camera, preset and zoom are those of the configuration, so that what was measured with these
  /// holds for the picture.
  public var isAsConfigured = true
  /// The measured pixels to an inch of the page; `nil` when no scale holds for the frame.
  public var pixelsPerInch: Double?

  /// Makes a photo from a frame that was chosen for a press.
  public init(
    press: Press, selection: FrameSelection, frame: FrameLease, captureAngle: Int,
    camera: CameraDescription, settings: ResolvedPhotoSettings
  ) {
    self.press = press
    self.selection = selection
    self.frame = frame
    self.captureAngle = captureAngle
    self.camera = camera
    self.settings = settings
  }
}

/// What a ``CaptureSession`` tells those who listen.
public enum CaptureEvent: Sendable {
  /// Readiness changed.
  case readiness(Readiness)
  /// A press was entered, its frame was chosen, or it got its outcome.
  case press(PressRecord)
  /// A capture went a step further.
  case progress(CaptureProgress)
  /// An interruption began or ended.
  case interruption(Interruption)
  /// The session's camera, stream or counters changed in a way worth showing.
  case session(CaptureSessionStatus)
  /// The settings were changed; not sent for a change that failed.
  case configuration(ResolvedSessionSettings)
  /// The capture angle changed.
  case rotation(captureAngle: Int)
}

/// How a session stands.
public struct CaptureSessionStatus: Sendable, Hashable {
  /// Whether the session has been started and not stopped.
  public var isRunning = false
  /// The camera in use; `nil` while there is none.
  public var camera: CameraDescription?
  /// What the camera in use is for; differs from the settings while the standby has taken over.
  public var cameraRole: CameraRole?
  /// Whether the standby has taken over because the wanted camera failed again and again.
  public var isStandbyInUse = false
  /// What the size of the stream comes of; `nil` while there is none.
  public var preset: SessionPreset?
  /// What the stream looks like; `nil` while there is none.
  public var stream: ResolvedStreamConfiguration?
  /// What is set of exposure, white balance, focus, zoom and noise reduction; `nil` while there is
  /// no stream.
  public var controls: ResolvedCameraControls?
  /// The calibration of the camera in use; `nil` when it has none.
  public var calibration: CameraCalibration?
  /// How the lamp stands; `nil` when the session has none.
  public var lamp: LampStatus?
  /// Frames seen since the session started.
  public var frameCount: UInt64 = 0
  /// Frames that the driver marked as damaged.
  public var damagedFrameCount: UInt64 = 0
  /// Streams started since the session started.
  public var streamStartCount = 0
  /// Whether all buffers are out, so that no frame can come.
  public var isStarved = false
  /// The time between frames as they come, which a camera may lengthen; `nil` before there are two.
  public var frameInterval: Duration?
  /// When the newest frame arrived.
  public var lastFrameArrival: MonotonicInstant?
  /// The last fault of the camera in words, also of an earlier run that was ended for it; `nil`
  /// when there was none.
  public var lastFault: String?
  /// What was tried after the last fault; `nil` when there was none.
  public var lastRecovery: RecoveryLadder.Rung?
  /// How long it took from the last fault until frames came again; `nil` when there was none.
  public var lastOutage: Duration?

  /// Makes the status of a session that has not been started.
  public init() {}
}

extension CaptureSessionConfiguration {
  /// Whether a picture with less quality than wanted is another one at all.
  func changesPicture(
    from wanted: QualityPrioritization, to given: QualityPrioritization
  ) -> Bool {
    QualityPrioritization.allCases.contains {
      given <= $0 && $0 < wanted && !indistinctPrioritizations.contains($0)
    }
  }
}
