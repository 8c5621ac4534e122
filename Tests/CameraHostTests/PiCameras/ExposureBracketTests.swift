import CameraHost
import Capture
import Devices
import Logging
import Synchronization
import TestSupport
import Testing

/// Exposure brackets through libcamera, whose sensors have controls some frames after a request.
@Suite(.timeLimit(.minutes(10))) struct ExposureBracketTests {
  /// The frames of each photo that a session handed on, in the order of the pictures.
  private final class HandedOn: Sendable {
    private let photos = Mutex<[[FrameInfo]]>([])

    var frames: [[FrameInfo]] { photos.withLock { $0 } }

    func take(_ photo: CapturedPhoto) -> PressOutcome {
      let frames = ([photo] + photo.companions).map(\.selection.frame)
      photos.withLock { $0.append(frames) }
      return .stored(
        StoredPhoto(itemID: "\(photo.press.number)", path: "/", byteCount: 1, sha256: ""))
    }
  }

  private let handedOn = HandedOn()

  /// Takes a bracket of a camera; a machine that is too busy for its frames gets further presses.
  ///
  /// - Parameter excused: the refusals for which another press is made.
  private func press(
    _ text: String, on name: String, excused: [RefusalReason] = []
  ) async throws -> PressRecord {
    let system = try Fixture.piCameras(name)
    // On a busy machine frames come late, and that is no stall.
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: Fixture.small, maximumWait: .seconds(60))
    configuration.stallTimeout = .seconds(60)
    configuration.bracket = .standard
    let session = CaptureSession(
      configuration: configuration, cameras: system,
      numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
      clock: SystemMonotonicClock(),
      logger: .silent, receive: { [handedOn] photo, _ in handedOn.take(photo) })
    let running = Task { try await session.run() }
    try await eventually { session.readiness.state == .ready }
    let settings = PhotoSettings(bracket: try Bracket(text))
    var record: PressRecord
    repeat {
      let number = try await session.press(
        at: SystemMonotonicClock().now, source: .api, settings: settings)
      record = try #require(await session.outcome(of: number))
    } while excused.contains { record.outcome == .refused($0) }
    running.cancel()
    _ = await running.result
    await system.shutDown()
    return record
  }

  private static let excused: [RefusalReason] = [
    .bracketInProgress, .bracketNotExposed, .frameOverwritten, .noFrameInTime,
  ]

  /// The automatic exposes for 10 ms at a gain of 1; the longest step needs a gain, too.
  @Test(arguments: ["vc4/imx219", "vc4/imx477", "pisp/imx708"])
  func `a bracket has the frames that report its exposures`(name: String) async throws {
    let record = try await press("ev=-2,0,2", on: name, excused: Self.excused)
    guard case .stored = record.outcome else {
      Issue.record("the press was refused: \(record)")
      return
    }
    // A press that was refused before has handed on nothing.
    let frames = try #require(handedOn.frames.first)
    #expect(handedOn.frames.count == 1)
    #expect(Set(frames.map(\.id)).count == 3)
    for (frame, bias) in zip(frames, [0.25, 1, 4]) {
      let exposure = try #require(frame.exposureDuration).inMilliseconds
      let gain = try #require(frame.analogueGain)
      #expect(abs(exposure * gain / (10 * bias) - 1) < 0.02, "\(exposure) ms at \(gain)")
      #expect(frame.exposureMidpoint >= record.press.time)
    }
  }

  /// The driver lists the controls and does not follow them.
  @Test func `a bracket that no frame shows is refused as a whole`() async throws {
    let record = try await press(
      "ev=-2,0,2", on: "vc4/imx219/180/stiff",
      excused: [.bracketInProgress, .frameOverwritten, .noFrameInTime])
    #expect(record.outcome == .refused(.bracketNotExposed))
    #expect(handedOn.frames.isEmpty)
  }

  @Test(arguments: [
    ("vc4/imx219", "ms=0.01,10", RefusalReason.bracketOutOfRange),
    ("uvc/webcam", "ev=-1,1", .bracketNotSupported),
  ])
  func `a bracket that the camera cannot take is refused at once`(
    name: String, bracket: String, reason: RefusalReason
  ) async throws {
    let record = try await press(
      bracket, on: name, excused: [.bracketInProgress, .noFrameInTime])
    #expect(record.outcome == .refused(reason))
    #expect(handedOn.frames.isEmpty)
  }
}
