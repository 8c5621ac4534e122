import API
import Capture
import Devices
import Foundation
import Imaging

/// Makes small pictures of the newest frame, for all who ask, one at a time.
///
/// Captures come first: a frame is leased only while no press is in flight, and given back as soon as
/// it has been looked at, on a queue of its own. Whoever asks while one is being made gets that, and
/// whoever asks soon afterwards gets it again, so that many listeners cost no more than one.
actor PreviewMaker {
  /// A look at a frame.
  struct Look: Sendable {
    var preview: FramePreview
    var info: FrameInfo
    var frameSize: FrameSize
    var captureAngle: Int
  }

  /// The least time from the beginning of one look to that of the next.
  static let shortestPause = Duration.milliseconds(100)
  /// How many times as long as a look itself the pause is at least: at most a fifth of a core.
  private static let rest = 4
  /// How long a press may keep a first look waiting.
  private static let patience = Duration.seconds(1)
  /// How old a look may be that stands in while frames are needed for pictures.
  private static let keptFor = Duration.seconds(2)

  private let session: CaptureSession
  let clock: any MonotonicClock
  private let executor = DispatchQueueExecutor(label: "platen.preview")
  private var making: Task<Result<Look, APIError>, Never>?
  private var latest: Look?
  private var isFrameAwaited = false
  /// When the latest look was begun, and how long it took.
  private var latestTime: (began: MonotonicInstant, duration: Duration)?
  /// How many frames have been looked at.
  private(set) var lookCount = 0

  /// Runs on a queue of its own, where frames are looked at.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(session: CaptureSession, clock: any MonotonicClock) {
    self.session = session
    self.clock = clock
  }

  /// A look at the newest frame.
  ///
  /// - Throws: `APIError` as ``API/AlignmentService/preview(_:)`` does.
  func look() async throws(APIError) -> Look {
    if let making { return try await making.value.get() }
    let pause = try await pause()
    // Somebody else may have begun while the session was asked.
    if let making { return try await making.value.get() }
    if let latest, let latestTime {
      let rest = latestTime.duration * (Self.rest + 1)
      if clock.now < latestTime.began.advanced(by: max(pause, rest)) { return latest }
    }
    let task = Task { await self.make() }
    making = task
    return try await task.value.get()
  }

  /// How long the heat lets a preview pause at least.
  private func pause() async throws(APIError) -> Duration {
    switch await session.captureConstraints.preview {
    case .unlimited: return Self.shortestPause
    case .limited(let rate): return max(Self.shortestPause, .seconds(1 / max(rate, 0.01)))
    case .stopped:
      throw APIError(.unavailable, "There is no preview while the rig is too hot.")
    }
  }

  /// Leases a frame, which has to be given back before anything else is waited for: the session has one to
  /// spare for all who look.
  func frame() async throws(PreviewRefusal) -> PreviewFrame {
    guard !isFrameAwaited else { throw .capturing }
    isFrameAwaited = true
    defer { isFrameAwaited = false }
    return try await session.previewFrame()
  }

  private func make() async -> Result<Look, APIError> {
    defer { making = nil }
    let deadline = clock.now.advanced(by: Self.patience)
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
        // Nobody ends this task, so that the sleep always comes to its end.
        try? await clock.sleep(for: .milliseconds(20))
      } catch {
        return .failure(APIError(.internalError, "The frame cannot be shown: \(error)."))
      }
    }
  }

  /// Looks at a frame, which is given back on return.
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
