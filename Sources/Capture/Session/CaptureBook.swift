import Devices

/// The captures of a session with the progress of each.
struct CaptureBook {
  /// The frame that was chosen for a press or an anticipation.
  struct ChosenFrame {
    var selection: FrameSelection
    var lease: FrameLease
    /// The camera that took the frame.
    var camera: CameraDescription
    /// The frame's rotation, and whether camera and settings are as configured, at its choice.
    var captureAngle: Int
    var isAsConfigured: Bool
  }

  var ledger = PressLedger()
  var selector: FrameSelector
  var prioritizer: FastCapturePrioritizer
  /// The presses with a place among the captures in flight, and whether their frame is chosen.
  var places: [Int64: Bool] = [:]
  var progress: [Int64: CaptureProgressMachine] = [:]
  var resolved: [Int64: ResolvedPhotoSettings] = [:]
  var waiters: [Int64: [CheckedContinuation<PressRecord, Never>]] = [:]
  /// The anticipations that have not ended, each with the press that it has become, if any.
  var anticipations: [Int64: Int64?] = [:]
  var held: [Int64: ChosenFrame] = [:]
  var nextAnticipation: Int64 = -1
  /// The presses whose picture a retake replaces.
  var retakes: RetakeTrail

  init(_ configuration: CaptureSessionConfiguration) {
    selector = FrameSelector(
      ringFrameCount: configuration.stream.ringFrameCount,
      settlingLimit: configuration.settlingLimit)
    prioritizer = FastCapturePrioritizer(
      maximumCapturesInFlight: configuration.maximumCapturesInFlight)
    retakes = RetakeTrail(after: configuration.latestStoredPress)
  }
}
