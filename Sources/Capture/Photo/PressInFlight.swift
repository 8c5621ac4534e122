import Devices

/// An admitted press without an outcome.
struct PressInFlight {
  enum Stage {
    /// The frame is not chosen or not leased yet.
    case waiting(ResolvedPhotoSettings)
    /// The receiver has the frame, to encode and store it.
    case processing
  }

  let press: Press
  var stage: Stage
  var progress: CaptureProgressMachine
  /// The number of frames that the receiver has; counted until the outcome.
  var leaseCount = 0
  /// The callers that wait for the outcome.
  var waiters: [CheckedContinuation<PressRecord, Never>] = []

  init(_ press: Press, settings: ResolvedPhotoSettings) {
    self.press = press
    stage = .waiting(settings)
    progress = CaptureProgressMachine(uniqueID: press.number)
  }

  /// Whether the press still needs a frame.
  var isWaiting: Bool {
    if case .waiting = stage { true } else { false }
  }
}

/// The leased frame that was chosen for a press or an anticipation.
struct ChosenFrame {
  var selection: FrameSelection
  var lease: FrameLease
  /// The camera that took the frame.
  var camera: CameraDescription
  /// The clockwise angle of the rig at the frame's exposure: 0, 90, 180 or 270.
  var captureAngle: Int
  /// The source of the angle.
  var orientationSource = OrientationSource.fixed
  /// Whether camera and settings were as configured when the frame was chosen.
  var isAsConfigured: Bool
  /// Whether the frame was exposed in the lamp's light.
  var isLit = false
  /// Whether the frame lost data on its way from the camera, and no whole one took its place.
  var isDamaged = false
  /// The leased frames to average with this one, the nearest first.
  var neighbors: [FrameLease] = []
  /// The reason that there are no ``neighbors``, if the reason is known.
  var singleFrame: SingleFrameReason?
}
