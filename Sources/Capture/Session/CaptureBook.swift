import Devices

/// The captures of a session: who waits for a frame, who has one, and how far each has come.
struct CaptureBook {
  /// The frame that was chosen for a press, or for what may still become one.
  struct ChosenFrame {
    var selection: FrameSelection
    var lease: FrameLease
    /// The camera that the frame is of.
    var camera: CameraDescription
    /// How the frame has to be turned, and whether it is of the configured camera and its settings; both as
    /// they were when it was chosen.
    var captureAngle: Int
    var isAsConfigured: Bool
  }

  var ledger = PressLedger()
  var selector: FrameSelector
  var prioritizer: FastCapturePrioritizer
  /// Presses that have a place among the captures in flight, and whether their frame is chosen.
  var places: [Int64: Bool] = [:]
  var progress: [Int64: CaptureProgressMachine] = [:]
  var resolved: [Int64: ResolvedPhotoSettings] = [:]
  var waiters: [Int64: [CheckedContinuation<PressRecord, Never>]] = [:]
  /// Anticipations that have not ended, each with the press that it has become meanwhile, if any.
  var anticipations: [Int64: Int64?] = [:]
  var held: [Int64: ChosenFrame] = [:]
  var nextAnticipation: Int64 = -1
  /// What a retake replaces.
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
