import Capture
import Devices
import TestSupport
import Testing

/// The sleeps of a session: each lasts until a deadline, unless an event brings it nearer.
@Suite(.timeLimit(.minutes(5))) struct SessionDeadlineTests {
  private let clock = ManualClock()
  private let camera = HangingCamera(in: .setFrameRate)

  /// Runs a session whose camera streams, and which sleeps.
  private func withSession(
    _ body: (CaptureSession, AsyncStream<CaptureEvent>) async throws -> Void
  ) async throws {
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 50),
        stallTimeout: .seconds(2), recoveryTimeout: .seconds(60)),
      cameras: camera, numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
      clock: clock,
      logger: .silent,
      receive: { _, _ in .refused(.encodingFailed) })
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    // The session's deadlines and the watch over its stream.
    await clock.untilSleepers(2)
    do {
      try await body(session, events)
      running.cancel()
      _ = await running.result
    } catch {
      running.cancel()
      throw error
    }
  }

  private func send(
    _ id: UInt64, frameDuration: Duration? = nil, to session: CaptureSession
  ) async throws {
    camera.send(
      .frame(
        FrameInfo(id: id, sequence: id, timestamp: clock.now, frameDuration: frameDuration)))
    try await eventually { await session.currentStatus.frameCount == id }
  }

  @Test func `frames do not wake the watch over their stream`() async throws {
    try await withSession { session, _ in
      let first = clock.now.advanced(by: .seconds(2))
      #expect(clock.nextDeadline == first)
      clock.advance(by: .milliseconds(100))
      for id: UInt64 in 1...20 { try await send(id, to: session) }
      #expect(clock.nextDeadline == first)
      clock.advance(to: first)
      await clock.untilSleepers(2)
      #expect(clock.nextDeadline == first.advanced(by: .milliseconds(100)))
      #expect(session.readiness.state == .ready)
    }
  }

  @Test func `a frame that shortens the limit wakes the watch`() async throws {
    try await withSession { session, _ in
      try await send(1, frameDuration: .seconds(10), to: session)
      clock.advance(by: .seconds(2))
      await clock.untilSleepers(2)
      #expect(session.readiness.state == .ready, "long frames are no stall")
      try await send(2, frameDuration: .milliseconds(20), to: session)
      let stall = clock.now.advanced(by: .seconds(2))
      try await eventually { clock.nextDeadline == stall }
    }
  }

  @Test func `a stall has its reason without the passing of time`() async throws {
    try await withSession { session, events in
      try await send(1, to: session)
      clock.advance(by: .seconds(2))
      for await case .readiness(let readiness) in events
      where readiness.reasons == [.cameraStalled] { break }
      camera.send(.damagedFrame(sequence: 2))
      for await case .readiness(let readiness) in events
      where readiness.reasons == [.cameraFailed] { break }
      camera.send(.starved)
      for await case .readiness(let readiness) in events
      where readiness.reasons == [.buffersExhausted] { break }
    }
  }

  @Test func `a press without a frame is refused at its deadline`() async throws {
    try await withSession { session, events in
      try await send(1, to: session)
      for await case .readiness(let readiness) in events where readiness.state == .ready { break }
      clock.advance(by: .milliseconds(500))
      let pressed = clock.now
      let number = try await session.press(at: pressed, source: .api)
      await clock.untilSleepers(2)
      // The stall comes first, and leaves the press its time.
      clock.advance(by: .milliseconds(1500))
      await clock.untilSleepers(2)
      #expect(clock.nextDeadline == pressed.advanced(by: .seconds(2)))
      clock.advance(by: .milliseconds(500))
      #expect(await session.outcome(of: number)?.outcome == .refused(.noFrameInTime))
    }
  }
}
