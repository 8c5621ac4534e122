import Capture
import Devices
import TestSupport
import Testing

/// A camera that cannot fulfill all wishes for its stream: the session uses the possible part.
@Suite(.timeLimit(.minutes(5))) struct StreamLimitsTests {
  private let clock = ManualClock()

  /// Runs a session until its first frame has come.
  private func withSession(
    of camera: HangingCamera,
    _ body: (CaptureSession, AsyncStream<CaptureEvent>) async throws -> Void
  ) async throws {
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(
          size: FrameSize(width: 640, height: 360), frameRate: 50, leasedFrameCount: 3),
        mountingAngle: 180),
      cameras: camera, numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
      clock: clock,
      logger: .silent,
      receive: { _, _ in .refused(.encodingFailed) })
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    defer {
      running.cancel()
      camera.release()
    }
    for await case .session(let status) in events where status.stream != nil { break }
    camera.send(.frame(FrameInfo(id: 1, sequence: 1, timestamp: clock.now)))
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    try await body(session, events)
  }

  @Test func `the camera's memory limits the captures in flight`() async throws {
    let camera = HangingCamera(in: .setFrameRate) { $0.leasedFrameCount = 2 }
    try await withSession(of: camera) { session, _ in
      // No frame of the press's moment is there yet, so that it keeps its place.
      _ = try await session.press(at: clock.now.advanced(by: .milliseconds(5)), source: .api)
      try #require(session.readiness.state == .notReadyWaitingForCapture)
      let second = try await session.press(
        at: clock.now.advanced(by: .milliseconds(5)), source: .api)
      #expect(await session.outcome(of: second)?.outcome == .refused(.tooManyCapturesInFlight))
    }
  }

  @Test func `no press is taken while the camera has no buffer`() async throws {
    let camera = HangingCamera(in: .setFrameRate)
    try await withSession(of: camera) { session, events in
      camera.send(.starved)
      for await case .readiness(let readiness) in events
      where readiness.state == .notReadyMomentarily { break }
      let number = try await session.press(at: clock.now, source: .api)
      let reason = RefusalReason(.buffersExhausted)
      #expect(await session.outcome(of: number)?.outcome == .refused(reason))
      camera.send(.replenished)
      for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    }
  }

  @Test func `the picture is turned by the angle that the sensor leaves`() async throws {
    let camera = HangingCamera(in: .setFrameRate) { $0.rotation = 270 }
    try await withSession(of: camera) { session, _ in
      #expect(await session.captureAngle == 90)
      #expect(await session.previewAngle == 90)
    }
  }
}
