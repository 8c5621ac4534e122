import Devices
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// The session's state during a hanging call of the camera, and for a press without a number.
@Suite(.timeLimit(.minutes(10))) struct StuckSessionTests {
  private let clock = ManualClock()

  private func session(
    _ cameras: any CameraSystem, stallTimeout: Duration = .milliseconds(1500),
    reserve: @escaping @Sendable (Int) async throws -> Range<Int64> = { 1..<Int64(1 + $0) }
  ) -> CaptureSession {
    CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(
          size: FrameSize(width: 640, height: 360), frameRate: 50, ringFrameCount: 16),
        stallTimeout: stallTimeout),
      cameras: cameras, numbers: PressNumbers(reserve: reserve), clock: clock,
      logger: .silent,
      receive: { _, _ in .refused(.encodingFailed) })
  }

  /// Waits until the clock is asleep, then moves it in steps until the session is stuck.
  ///
  /// - Returns: the elapsed time; `nil` if the session is not stuck after a minute.
  private func timeUntilStuck(_ session: CaptureSession) async -> Duration? {
    let start = clock.now
    while start.duration(to: clock.now) < .seconds(60) {
      if await session.isStuck { return start.duration(to: clock.now) }
      await clock.untilSleepers(1)
      clock.advance(by: .milliseconds(50))
    }
    return nil
  }

  private func end(_ running: Task<Void, any Error>, _ camera: HangingCamera) async {
    running.cancel()
    camera.release()
    _ = await running.result
  }

  @Test(arguments: [HangingCamera.Call.list, .open, .start, .stop, .close])
  func `a hanging call makes the session stuck`(_ call: HangingCamera.Call) async throws {
    let camera = HangingCamera(in: call)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    if call == .stop || call == .close {
      // The stream has to run before it can end.
      for await case .session(let status) in events where status.stream != nil { break }
      // A fault of the camera's own leads to a new stream first; a lost camera is closed.
      let code = call == .close ? DeviceError.Code.disconnected : .inputOutput
      camera.send(.streamFailed(DeviceError(code, device: "hanging", problem: "has failed")))
    }
    for await _ in camera.hangs { break }
    await clock.run(for: .seconds(15))
    #expect(await !session.isStuck, "as long as a call may take")
    await clock.run(for: .milliseconds(100))
    #expect(await session.isStuck)
    for await case .readiness(let readiness) in events {
      if readiness.reasons.contains(.cameraStalled) { break }
    }
    #expect(session.readiness.state == .notReadyMomentarily)
    #expect(
      await session.outcome(of: try await session.press(at: clock.now, source: .api))?.outcome
        == .refused(RefusalReason(.cameraStalled)))

    let after = session.events.listen()
    camera.release()
    for await case .session in after { break }
    #expect(await !session.isStuck, "the call has returned")
    await end(running, camera)
  }

  /// The camera hangs while a frame is taken: no further call of the stream can end then.
  @Test func `a hanging lease makes the session stuck`() async throws {
    let camera = HangingCamera(in: .lease)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    camera.send(.frame(FrameInfo(id: 1, sequence: 1, timestamp: clock.now)))
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    try await session.press(at: clock.now.advanced(by: .milliseconds(10)), source: .button)
    camera.send(
      .frame(
        FrameInfo(id: 2, sequence: 2, timestamp: clock.now.advanced(by: .milliseconds(20)))))
    for await _ in camera.hangs { break }
    let time = try #require(await timeUntilStuck(session))
    #expect(time > .seconds(15))
    try await eventually { session.readiness.reasons.contains(.cameraStalled) }
    await end(running, camera)
  }

  /// A hot rig sets the frame rate before the stream is watched, a warming rig in between.
  @Test(arguments: [false, true])
  func `a hanging frame rate makes the session stuck`(_ isStreaming: Bool) async throws {
    let camera = HangingCamera(in: .setFrameRate)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    if !isStreaming { await session.apply(CaptureConstraints(maximumFrameRate: 5)) }
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    let heating = Task {
      if isStreaming { await session.apply(CaptureConstraints(maximumFrameRate: 5)) }
    }
    for await _ in camera.hangs { break }
    let time = try #require(await timeUntilStuck(session))
    #expect(time > .seconds(15))
    await end(running, camera)
    await heating.value
  }

  /// Returns the stalls in the session's log: lasting and ended.
  private func stalls(of session: CaptureSession) async -> (lasting: Int, ended: Int) {
    let log = await session.interruptionLog
    return (
      log.lasting.count { $0.reason == .cameraStalled },
      log.ended.count { $0.reason == .cameraStalled }
    )
  }

  /// The camera closes, but the frame rate that a hot rig sets hangs on.
  @Test func `a stuck call interrupts a stopped session once and until its return`() async throws {
    let camera = HangingCamera(in: .setFrameRate)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    let heating = Task { await session.apply(CaptureConstraints(maximumFrameRate: 5)) }
    for await _ in camera.hangs { break }
    await session.stop()
    for await case .session(let status) in events where status.camera == nil { break }
    // The session's deadlines and its wait for a resumption both sleep.
    await clock.run(for: .seconds(20), sleepers: 2)
    await clock.untilSleepers(2)
    #expect(await stalls(of: session) == (lasting: 1, ended: 0))
    camera.release()
    await heating.value
    try await eventually { await stalls(of: session) == (lasting: 0, ended: 1) }
    #expect(session.readiness.reasons == [.stoppedByTechnician])
    await end(running, camera)
  }

  @Test func `frames do not end the interruption by a stuck call`() async throws {
    let camera = HangingCamera(in: .setFrameRate)
    let session = session(camera, stallTimeout: .seconds(60))
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    let heating = Task { await session.apply(CaptureConstraints(maximumFrameRate: 5)) }
    for await _ in camera.hangs { break }
    // The session's deadlines and the watch over its stream both sleep.
    await clock.run(for: .seconds(20), sleepers: 2)
    await clock.untilSleepers(2)
    camera.send(.frame(FrameInfo(id: 1, sequence: 1, timestamp: clock.now)))
    try await eventually { await session.currentStatus.frameCount == 1 }
    #expect(await stalls(of: session) == (lasting: 1, ended: 0))
    camera.release()
    await heating.value
    camera.send(.frame(FrameInfo(id: 2, sequence: 2, timestamp: clock.now)))
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    #expect(await stalls(of: session) == (lasting: 0, ended: 1))
    await end(running, camera)
  }

  /// A call may take as long as a frame, so the frame puts the call's deadline into the past.
  @Test func `a shorter frame shows at once that a call is stuck`() async throws {
    let camera = HangingCamera(in: .setFrameRate)
    let session = session(camera, stallTimeout: .seconds(60))
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    camera.send(
      .frame(FrameInfo(id: 1, sequence: 1, timestamp: clock.now, frameDuration: .seconds(10))))
    try await eventually { await session.currentStatus.frameCount == 1 }
    let heating = Task { await session.apply(CaptureConstraints(maximumFrameRate: 5)) }
    for await _ in camera.hangs { break }
    await clock.run(for: .seconds(20), sleepers: 2)
    #expect(await stalls(of: session) == (lasting: 0, ended: 0))
    camera.send(
      .frame(
        FrameInfo(id: 2, sequence: 2, timestamp: clock.now, frameDuration: .milliseconds(20))))
    try await eventually { await stalls(of: session) == (lasting: 1, ended: 0) }
    camera.release()
    await heating.value
    await end(running, camera)
  }

  @Test func `a press without a number throws and counts as refused`() async throws {
    let isBroken = Mutex(true)
    let session = session(SimulatedCameraSystem(world: SimulatedWorld(clock: clock))) { count in
      if isBroken.withLock({ $0 }) { throw NoNumber() }
      return 1..<Int64(1 + count)
    }
    await #expect(throws: NoNumber.self) {
      try await session.press(at: clock.now, source: .button)
    }
    #expect(await session.pressCounts == (stored: 0, refused: 1, inFlight: 0))
    #expect(await session.latestRecords(10).isEmpty, "there is no record without a number")

    isBroken.withLock { $0 = false }
    let number = try await session.press(at: clock.now, source: .button)
    #expect(number == 1)
    #expect(await session.outcome(of: number)?.outcome == .refused(.sessionNotRunning))
    #expect(await session.pressCounts == (stored: 0, refused: 2, inFlight: 0))
  }
}
