import Devices

/// Detects from the frames of a stream, and from the time, that the stream has stalled.
///
/// On most pipelines, a lost camera gives no signal but the absence of frames.
///
/// | wait | timeout |
/// |---|---|
/// | silence between two frames | three frames and an exposure, at least the configured timeout |
/// | silence before the first frame | nine frames more: the pipeline fills, automatics settle |
/// | one call of the camera | the camera system's timeout, and one frame |
///
/// A frame is as long as the longest of four durations: the stream's resolved one, the wanted one,
/// that of the last frame, and an earlier one. Settings take effect some frames later.
struct StallDetector {
  private let timeout: Duration
  private let recoveryTime: Duration
  /// The newest frame of the stream; `nil` before its first.
  private(set) var lastFrame: FrameInfo?
  /// The number of damaged frames since the newest whole one.
  private(set) var damagedCount = 0
  /// The time of the watched stream's newest frame, or its beginning; `nil` while none is watched.
  private var silenceSince: MonotonicInstant?
  /// The exposures under way; every setter of controls reports to it.
  var exposures = PendingDuration()
  /// The frame durations under way; every setter of the frame rate reports to it.
  var frameDurations = PendingDuration()

  init(_ configuration: CaptureSessionConfiguration) {
    timeout = configuration.stallTimeout
    recoveryTime = configuration.recoveryTimeout
  }

  /// Begins to watch a stream.
  mutating func begin(at now: MonotonicInstant) { silenceSince = now }

  /// Takes a frame.
  mutating func frameArrived(_ frame: FrameInfo, at now: MonotonicInstant) {
    (silenceSince, lastFrame, damagedCount) = (now, frame, 0)
    exposures.frameArrived()
    frameDurations.frameArrived()
  }

  /// Takes a damaged frame, which does not end the silence.
  mutating func frameDamaged() { damagedCount += 1 }

  /// Forgets the frames of a stream that has ended.
  mutating func streamEnded() { (silenceSince, lastFrame, damagedCount) = (nil, nil, 0) }

  /// The longest exposure that may be in a frame.
  private var exposure: Duration { max(lastFrame?.exposureDuration ?? .zero, exposures.longest) }

  /// Returns the longest time of one frame: no frame is shorter than its exposure.
  ///
  /// - Parameter frameDuration: the longer one of the resolved and the wanted frame duration.
  func longestFrame(_ frameDuration: Duration) -> Duration {
    max(frameDuration, lastFrame?.frameDuration ?? .zero, frameDurations.longest, exposure)
  }

  /// Returns when a silence that lasts becomes a stall, and when the camera is given up.
  func stall(_ frameDuration: Duration) -> (begin: MonotonicInstant, end: MonotonicInstant)? {
    guard let silenceSince else { return nil }
    let frames = longestFrame(frameDuration) * (lastFrame == nil ? 12 : 3)
    let begin = silenceSince.advanced(by: max(timeout, frames + exposure))
    return (begin, begin.advanced(by: recoveryTime))
  }

  /// Returns the fault of a camera that is given up.
  func fault(of camera: CameraDescription.ID, at now: MonotonicInstant) -> DeviceError {
    let silence = silenceSince?.duration(to: now) ?? .zero
    return DeviceError(
      .timedOut, device: camera, problem: "gave no frame for \(Int(silence.inMilliseconds)) ms",
      cause: damagedCount > 0
        ? damagedCount.counted("frame was damaged", "frames were damaged") : nil)
  }
}
