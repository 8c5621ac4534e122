import API
import Capture
import Devices
import Foundation
import Imaging

/// A maker of small pictures of the newest frame, for all callers, one at a time.
///
/// Captures come first: a frame is leased only while no press is in flight, and released as soon as
/// it is processed. The actor has a separate queue. A caller during a look gets its result. A
/// caller soon afterwards gets the same result. Many listeners therefore cost no more than one. The
/// maker also makes the pictures of the ``PreviewBroadcast``.
actor PreviewMaker {
  /// A look at a frame.
  struct Look: Sendable {
    var preview: FramePreview
    var info: FrameInfo
    var frameSize: FrameSize
    var captureAngle: Int
  }

  /// The shortest time between the starts of two looks.
  static let shortestPause = Duration.milliseconds(100)
  /// The shortest pause as a multiple of a look's duration: at most a fifth of a core is used.
  private static let rest = 4
  /// The time that a press may delay a first look.
  private static let timeout = Duration.seconds(1)
  /// The time between two attempts to lease a frame.
  static let retryInterval = Duration.milliseconds(20)
  /// The maximum age of a look that replaces a new one while presses need the frames.
  private static let keptFor = Duration.seconds(2)

  let session: CaptureSession
  let clock: any MonotonicClock
  private let executor = DispatchQueueExecutor(label: "platen.preview")
  /// The encoder of pictures for viewers, made on demand.
  var encoder: JPEGEncoder?
  /// The time before which no loupe is made.
  var loupeRestsUntil: MonotonicInstant?
  private var making: Task<Result<Look, APIError>, Never>?
  private var latest: Look?
  private var isFrameAwaited = false
  /// The start and the duration of the latest look.
  private var latestTime: (began: MonotonicInstant, duration: Duration)?
  /// The number of processed frames.
  private(set) var lookCount = 0

  /// The separate queue on which frames are processed.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(session: CaptureSession, clock: any MonotonicClock) {
    self.session = session
    self.clock = clock
  }

  /// Returns a look at the newest frame.
  ///
  /// - Throws: `APIError`: `conflict` while no camera gives frames, `unavailable` while all frames are
  ///   needed for pictures or the rig is too hot.
  func look() async throws(APIError) -> Look {
    if let making { return try await making.value.get() }
    let pause = try await max(Self.shortestPause, pauseForHeat())
    // Another caller may have started a look while the session was asked.
    if let making { return try await making.value.get() }
    if let latest, let latestTime {
      let rest = latestTime.duration * (Self.rest + 1)
      if clock.now < latestTime.began.advanced(by: max(pause, rest)) { return latest }
    }
    let task = Task { await self.make() }
    making = task
    return try await task.value.get()
  }

  /// Returns the shortest pause between previews that the heat permits.
  func pauseForHeat() async throws(APIError) -> Duration {
    switch await session.captureConstraints.preview {
    case .unlimited: return .zero
    case .limited(let rate): return .seconds(1 / max(rate, 0.01))
    case .stopped:
      throw APIError(.unavailable, "There is no preview while the rig is too hot.")
    }
  }

  /// Leases a frame, to be released before any other wait, because the previews share one.
  func frame() async throws(PreviewRefusal) -> PreviewFrame {
    guard !isFrameAwaited else { throw .capturing }
    isFrameAwaited = true
    defer { isFrameAwaited = false }
    return try await session.previewFrame()
  }

  private func make() async -> Result<Look, APIError> {
    defer { making = nil }
    let deadline = clock.now.advanced(by: Self.timeout)
    while true {
      do {
        let began = clock.now
        let look = try Self.look(at: try await frame())
        lookCount += 1
        latest = look
        latestTime = (began, began.duration(to: clock.now))
        return .success(look)
      } catch PreviewRefusal.noFrames(let reason) {
        latest = nil
        return .failure(Self.refusal(reason))
      } catch PreviewRefusal.capturing {
        if let latest, latest.info.timestamp.duration(to: clock.now) < Self.keptFor {
          return .success(latest)
        }
        guard clock.now < deadline else {
          return .failure(
            APIError(
              .unavailable, "There is no preview while presses need the frames; try again soon."))
        }
        // Only a lease shows that neither a press nor another caller nor the ring holds the frame.
        // The task is never canceled, so the sleep always completes.
        try? await clock.sleep(for: Self.retryInterval)
      } catch {
        return .failure(APIError(.internalError, "The frame cannot be shown: \(error)."))
      }
    }
  }

  /// Processes a frame, which is released on return.
  private static func look(at frame: PreviewFrame) throws -> Look {
    try frame.frame.withBytes { bytes in
      Look(
        preview: try FramePreview.compute(
          bytes: bytes, format: frame.frame.format, clockwiseRotation: frame.captureAngle),
        info: frame.frame.info, frameSize: frame.frame.format.size,
        captureAngle: frame.captureAngle)
    }
  }

  static func refusal(_ reason: InterruptionReason?) -> APIError {
    let why = reason.map { ": \($0)" } ?? " yet"
    return APIError(.conflict, "There is no preview because no camera gives frames\(why).")
  }
}
