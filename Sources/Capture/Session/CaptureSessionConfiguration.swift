package import Devices

/// The configuration of a ``CaptureSession``: its cameras and limits.
package struct CaptureSessionConfiguration: Sendable, Hashable {
  /// The rule that selects a camera.
  package enum CameraChoice: Sendable, Hashable, CustomStringConvertible {
    /// The first camera in the order of IDs.
    case first
    /// The camera with that ID.
    case id(CameraDescription.ID)
    /// The first camera with that position.
    case position(CameraDescription.Position)

    /// The ID, when the choice is by ID.
    var id: CameraDescription.ID? {
      if case .id(let id) = self { id } else { nil }
    }

    /// The choice in words.
    package var description: String {
      switch self {
      case .first: "any camera"
      case .id(let id): "camera \"\(id)\""
      case .position(let position): "camera with position \"\(position.rawValue)\""
      }
    }
  }

  /// The cameras by role; the role of ``settings`` must be among them.
  package var cameras: [CameraRole: CameraChoice]
  /// The camera that takes over when the one in use keeps failing; `nil` for none.
  package var standby: CameraRole?
  /// The initial settings.
  package var settings: SessionSettings
  /// The stream to ask a camera for.
  ///
  /// Its size, frame rate and controls come from the settings, and its number of leases from
  /// ``maximumCapturesInFlight``. A high frame rate or a long ``choiceTime`` adds frames to its
  /// ring.
  package var stream: StreamConfiguration
  /// The time from a press to the lease of its frame that the ring must cover.
  ///
  /// See ``FrameSelector/longestChoice(shortestPress:)``.
  package var choiceTime = FrameSelector.choiceTime
  /// The clockwise angle by which the camera is turned in the rig: 0, 90, 180 or 270.
  package var mountingAngle: Int
  /// The time without a frame after which the camera counts as stalled.
  ///
  /// The time is extended to three frames and an exposure when frames are slower than that.
  package var stallTimeout: Duration
  /// The time that a stalled camera may recover by itself before its stream is restarted.
  package var recoveryTimeout: Duration
  /// The time that a press waits for a frame at or after it.
  ///
  /// The time is extended for long frames, for a lamp that has to be lit first, and by
  /// ``settlingLimit``.
  package var maximumWait: Duration
  /// The maximum time after a press to wait for a frame with settled automatics.
  ///
  /// The automatics are exposure, white balance and focus. Zero takes the nearest frame as it is.
  package var settlingLimit = Duration.zero
  /// The rules for lighting the lamp, if there is one.
  package var lamp = LampPolicy()
  /// The maximum number of captures in flight, 1 or more; further presses are refused.
  package var maximumCapturesInFlight: Int
  /// The limits and pauses of the recovery.
  package var recovery: RecoveryLadder.Policy
  /// The recovery by an earlier run of the service; shown until the next recovery.
  package var earlierRecovery: EarlierRecovery?
  /// The deliveries of a capture, in order, besides the photo itself.
  package var additionalDeliveries: [PhotoDelivery.Kind]
  /// The formats of a photo's files; DNG needs a ``stream`` with raw frames.
  package var formats: Set<PhotoFormat> = [.jpeg]
  /// The prioritizations that give the same picture as the next better one.
  ///
  /// The maker of the pictures cannot lower the quality for them.
  package var indistinctPrioritizations: Set<QualityPrioritization> = []
  /// Whether movies can be recorded, for which the camera is asked for another lease.
  package var recordsMovies = false
  /// The bracket of a button's gesture; `nil` when no gesture takes one.
  package var bracket: Bracket?
  /// The merging of brackets whose press does not say.
  package var merge = BracketMerge.off
  /// The press of the newest picture of an earlier run, which a retake replaces; `nil` for none.
  package var latestStoredPress: Int64?

  /// Makes the configuration of a session with one camera.
  ///
  /// - Parameters:
  ///   - camera: the camera for ``CameraRole/main``.
  ///   - stream: the stream to ask for; its size, frame rate and controls become the settings.
  ///   - mountingAngle: the clockwise angle of the camera in the rig: 0, 90, 180 or 270.
  package init(
    camera: CameraChoice, stream: StreamConfiguration, mountingAngle: Int = 0,
    stallTimeout: Duration = .milliseconds(1500), recoveryTimeout: Duration = .seconds(2),
    maximumWait: Duration = .seconds(2)
  ) {
    cameras = [.main: camera]
    settings = SessionSettings(
      preset: .custom(stream.size), frameRate: stream.frameRate, controls: stream.controls)
    self.stream = stream
    self.mountingAngle = mountingAngle
    self.stallTimeout = stallTimeout
    self.recoveryTimeout = recoveryTimeout
    self.maximumWait = maximumWait
    maximumCapturesInFlight = stream.leasedFrameCount
    recovery = RecoveryLadder.Policy()
    additionalDeliveries = []
  }

  /// Returns the number of frames to keep with given settings.
  func ringFrameCount(for settings: SessionSettings) -> Int {
    let fewest = FrameSelector.fewestFrames(at: settings.frameRate ?? 30, choiceTime: choiceTime)
    return max(stream.ringFrameCount, fewest)
  }

  /// Returns the stream to ask a camera for with given settings.
  ///
  /// The lease beyond the maximum number of captures is for the frame held for an undecided
  /// gesture. The bracket of a gesture needs a lease for each of its frames, and so do pictures of
  /// the prioritization *quality*. A movie has a lease of its own.
  package func stream(
    for settings: SessionSettings, of camera: CameraDescription, controls: CameraControls
  ) -> StreamConfiguration {
    var wanted = stream
    wanted.size = settings.preset.size(for: camera)
    wanted.frameRate = settings.frameRate
    wanted.controls = controls
    wanted.ringFrameCount = ringFrameCount(for: settings)
    let averaged =
      settings.prioritization == .quality
      ? min(wanted.ringFrameCount, FrameSelector.neighborLimit + 1) : 1
    let filmed = recordsMovies ? MovieOutput.leasedFrameCount : 0
    // A camera has room for 28 frames.
    let most = max(maximumCapturesInFlight, 27 - wanted.ringFrameCount - filmed)
    let captured = min(maximumCapturesInFlight + averaged - 1, most)
    let bracketed = min((bracket?.values.count ?? 0) + maximumCapturesInFlight - 1, most)
    let leased = max(captured, bracketed)
    wanted.leasedFrameCount = leased + 1 + filmed
    return wanted
  }
}

/// An event of a ``CaptureSession``.
package enum CaptureEvent: Sendable {
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
  /// The state of the recording changed, or a recording got its outcome.
  case movie(MovieEvent)
}

/// The status of a session.
package struct CaptureSessionStatus: Sendable, Hashable {
  /// Whether the session has been started and not stopped.
  package var isRunning = false
  /// The camera in use; `nil` while there is none.
  package var camera: CameraDescription?
  /// The role of the camera in use; differs from the settings while the standby has taken over.
  package var cameraRole: CameraRole?
  /// Whether the standby has taken over because the wanted camera kept failing.
  package var isStandbyInUse = false
  /// The preset of the stream; `nil` while there is none.
  package var preset: SessionPreset?
  /// The stream's resolved configuration; `nil` while there is none.
  package var stream: ResolvedStreamConfiguration?
  /// The controls that are set; `nil` while there is no stream.
  ///
  /// They are exposure, white balance, focus, zoom and noise reduction.
  package var controls: ResolvedCameraControls?
  /// The calibration of the camera in use; `nil` when it has none.
  package var calibration: CameraCalibration?
  /// The state of the lamp; `nil` when the session has none.
  package var lamp: LampStatus?
  /// The number of frames since the session started.
  package var frameCount: UInt64 = 0
  /// The number of frames that the driver marked as damaged.
  package var damagedFrameCount: UInt64 = 0
  /// The number of streams since the session started.
  package var streamStartCount = 0
  /// Whether all buffers are in use, so that no frame can come.
  package var isStarved = false
  /// The time between arriving frames, which a camera may lengthen; `nil` before there are two.
  package var frameInterval: Duration?
  /// The arrival time of the newest frame.
  package var lastFrameArrival: MonotonicInstant?
  /// The last fault of the camera in words; `nil` when there was none.
  ///
  /// A fault for which an earlier run was ended is included.
  package var lastFault: String?
  /// The means used after the last fault; `nil` when there was none.
  package var lastRecovery: RecoveryLadder.Rung?
  /// The time from the last fault until frames came again; `nil` when there was none.
  package var lastOutage: Duration?

  /// Makes the status of a session that has not been started.
  package init() {}
}

extension CaptureSessionConfiguration {
  /// Returns whether a picture with less quality than wanted differs at all.
  func changesPicture(
    from wanted: QualityPrioritization, to given: QualityPrioritization
  ) -> Bool {
    QualityPrioritization.allCases.contains {
      given <= $0 && $0 < wanted && !indistinctPrioritizations.contains($0)
    }
  }
}
