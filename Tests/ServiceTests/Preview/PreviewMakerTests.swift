import API
import Devices
import Foundation
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// Previews of a session that runs on the simulated board.
///
/// The previews' own clock stands still unless a test moves it or a preview waits for a moment on
/// it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PreviewMakerTests {
  private let scratch = ScratchSpool()

  private struct Rig {
    let model: RigModel
    let previews: PreviewMaker
    let session: CaptureSession
    let world: SimulatedWorld
    let counter: LeaseCounter
    let clock: ManualClock

    func until(_ isSo: (RigModel) async throws -> Bool) async throws {
      try await eventually { try await isSo(model) }
    }

    /// Returns the first preview of a frame that fulfills the condition.
    func preview(_ size: PreviewSize = PreviewSize(), where isSo: (PreviewReport) -> Bool)
      async throws -> PreviewReport
    {
      var found: PreviewReport?
      try await eventually {
        clock.advance(by: .seconds(1))
        let report = try await model.preview(size)
        found = report
        return isSo(report)
      }
      return try #require(found)
    }
  }

  private func withRig(
    stallTimeout: Duration = .seconds(60), previewWidth: Int? = nil,
    receive: @escaping CaptureSession.PhotoReceiver = { _, _ in .refused(.encodingFailed) },
    _ body: (Rig) async throws -> Void
  ) async throws {
    let spool = try await scratch.open()
    let clock = SystemMonotonicClock()
    let world = SimulatedWorld(clock: clock)
    let counter = LeaseCounter()
    let cameras = counter.cameras(of: SimulatedCameraSystem(world: world))
    var configuration = CaptureSessionConfiguration.patient(FrameSize(width: 640, height: 480))
    configuration.stallTimeout = stallTimeout
    configuration.stream.previewWidth = previewWidth
    let session = CaptureSession(
      configuration: configuration,
      cameras: cameras, numbers: PressNumbers { 1..<Int64(1 + $0) }, clock: clock,
      logger: RecordedLog().logger, receive: receive)
    let still = ManualClock(now: clock.now)
    let previews = PreviewMaker(session: session, clock: SleptClock(manual: still))
    var model = RigModel(
      rigID: "rig-1", board: .simulated, session: session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: [],
      monitor: RigMonitor(hasAccelerometer: true), indicatorNames: [:], world: world, clock: clock,
      startedAt: clock.now)
    model.previews = previews
    let rig = Rig(
      model: model, previews: previews, session: session, world: world, counter: counter,
      clock: still)
    let running = Task { try await session.run() }
    do {
      try await rig.until { _ in session.readiness.state == .ready }
      try await body(rig)
    } catch {
      running.cancel()
      _ = await running.result
      throw error
    }
    running.cancel()
    _ = await running.result
    await spool.close()
  }

  @Test func `a preview is small, sharp and of the newest frame`() async throws {
    try await withRig { rig in
      let before = await rig.session.currentStatus.frameCount
      let report = try await rig.model.preview(PreviewSize(width: 80, height: 60))
      #expect(report.width == 80 && report.height == 60)
      #expect(report.frameSize == SizeReport(width: 640, height: 480))
      #expect(try #require(report.samples).count == 4800)
      #expect(report.focus > 0.02 && report.focus < 1)
      #expect(report.exposureMicroseconds != nil && report.gain != nil && report.diopters != nil)
      #expect(report.colorTemperature == 4600)
      #expect(report.frame > 0 && report.ageMilliseconds >= 0)
      let later = try await rig.preview { $0.frame > report.frame }
      #expect(later.frame > report.frame)
      #expect(await rig.session.currentStatus.frameCount > before)
    }
  }

  @Test func `many listeners cost no more than one`() async throws {
    try await withRig { rig in
      let frames = try await withThrowingTaskGroup(of: UInt64.self) { group in
        for _ in 0..<50 { group.addTask { try await rig.previews.look().info.id } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(frames.count == 1)
      #expect(await rig.previews.lookCount == 1)
      rig.clock.advance(by: PreviewMaker.shortestPause - .milliseconds(1))
      _ = try await rig.previews.look()
      #expect(await rig.previews.lookCount == 1)
      rig.clock.advance(by: .milliseconds(1))
      _ = try await rig.previews.look()
      #expect(await rig.previews.lookCount == 2)
    }
  }

  @Test func `previews do not disturb the capture`() async throws {
    try await withRig { rig in
      let before = await rig.session.currentStatus
      for _ in 0..<40 {
        rig.clock.advance(by: .seconds(1))
        _ = try await rig.previews.look()
        // Each lease ends before its picture is the answer.
        #expect(rig.counter.leases.out == 0)
      }
      let leases = rig.counter.leases
      #expect(leases.mostOut == 1)
      #expect(leases.taken == 40)
      #expect(await rig.previews.lookCount == 40)
      let after = await rig.session.currentStatus
      #expect(after.streamStartCount == before.streamStartCount && !after.isStarved)
      #expect(after.damagedFrameCount == before.damagedFrameCount)
      let number = try await rig.session.press(at: SystemMonotonicClock().now, source: .api)
      let record = await rig.session.outcome(of: number)
      #expect(record?.frame != nil)
    }
  }

  @Test func `no preview frame is taken while a press has the frames`() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (begun, announce) = AsyncStream.makeStream(of: Void.self)
    try await withRig(receive: { _, _ in
      announce.yield()
      for await _ in gate {}
      return .refused(.encodingFailed)
    }) { rig in
      let kept = try await rig.previews.look()
      // During a pause of the stream, as on a busy machine, a press gets no frame.
      var number = try await rig.session.press(at: SystemMonotonicClock().now, source: .api)
      try await eventually {
        if await rig.session.record(of: number)?.outcome != nil {
          number = try await rig.session.press(at: SystemMonotonicClock().now, source: .api)
        }
        return rig.counter.leases.taken >= 2
      }
      for await _ in begun { break }
      #expect(rig.counter.leases.taken == 2)
      // The previews' clock stands still, so that the earlier preview is young enough.
      rig.clock.advance(by: PreviewMaker.shortestPause)
      let standIn = try await rig.previews.look()
      #expect(standIn.info.id == kept.info.id)
      #expect(rig.counter.leases.taken == 2)
      // Now the earlier preview is too old.
      rig.clock.advance(to: kept.info.timestamp.advanced(by: .seconds(10)))
      let error = await #expect(throws: APIError.self) { try await rig.previews.look() }
      #expect(error?.code == .unavailable)
      #expect(rig.counter.leases.taken == 2)
      open.finish()
      _ = await rig.session.outcome(of: number)
      let fresh = try await rig.previews.look()
      #expect(fresh.info.id > kept.info.id)
    }
  }

  @Test func `a preview of a released camera is refused with the reason`() async throws {
    try await withRig { rig in
      _ = try await rig.previews.look()
      _ = await rig.model.stopSession()
      rig.clock.advance(by: .seconds(1))
      let error = await #expect(throws: APIError.self) {
        try await rig.model.preview(PreviewSize())
      }
      #expect(error?.code == .conflict && error?.status == 409)
      #expect(error?.message.contains("stoppedByTechnician") == true, "\(error?.message ?? "")")
      _ = await rig.model.resumeSession()
      try await rig.until { _ in rig.session.readiness.state == .ready }
      #expect(try await rig.model.preview(PreviewSize()).focus > 0)
    }
  }

  @Test func `a stalled camera gives no preview`() async throws {
    try await withRig(stallTimeout: .milliseconds(1500)) { rig in
      try await rig.model.simulate(.cameraFault("stalled"))
      try await rig.until { _ in rig.session.readiness.reasons.contains(.cameraStalled) }
      let error = await #expect(throws: APIError.self) {
        try await rig.model.preview(PreviewSize())
      }
      #expect(error?.code == .conflict)
      #expect(error?.message.contains("camera") == true)
    }
  }

  @Test func `heat slows previews and ends them`() async throws {
    try await withRig { rig in
      _ = try await rig.previews.look()
      await rig.session.apply(CaptureConstraints(preview: .limited(framesPerSecond: 2)))
      rig.clock.advance(by: .milliseconds(400))
      _ = try await rig.previews.look()
      #expect(await rig.previews.lookCount == 1)
      rig.clock.advance(by: .milliseconds(100))
      _ = try await rig.previews.look()
      #expect(await rig.previews.lookCount == 2)
      await rig.session.apply(CaptureConstraints(preview: .stopped))
      let error = await #expect(throws: APIError.self) { try await rig.previews.look() }
      #expect(error?.code == .unavailable)
    }
  }

  /// Returns the size in the frame header of a JPEG image (SOF0).
  private func size(_ jpeg: [UInt8]) throws -> FrameSize {
    let start = try #require(
      jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    let numbers = jpeg[(start + 5)..<(start + 9)].map { Int($0) }
    return FrameSize(
      width: numbers[2] << 8 | numbers[3], height: numbers[0] << 8 | numbers[1])
  }

  @Test func `viewers get pictures in their sizes from one lease`() async throws {
    try await withRig { rig in
      let limits: Set = [
        FrameSize(width: 320, height: 320), FrameSize(width: 320, height: 240),
        FrameSize(width: 1920, height: 1920),
      ]
      let before = rig.counter.leases.taken
      var found: PreviewShot?
      // On a busy machine the ring may be overwritten meanwhile.
      try await eventually {
        found = try? await rig.previews.shot(within: limits).get()
        return found != nil
      }
      let shot = try #require(found)
      #expect(rig.counter.leases.out == 0 && rig.counter.leases.taken == before + 1)
      #expect(shot.pause == .zero && Set(shot.pictures.keys) == limits)
      for (limit, picture) in shot.pictures {
        let wanted = limit.width == 320 ? (320, 240) : (640, 480)
        #expect(try size(picture.jpeg) == FrameSize(width: wanted.0, height: wanted.1))
        #expect(picture.frame == Int64(shot.frame) && picture.sensorTimeNanoseconds > 0)
        #expect(picture.angle == 0 && !picture.isMirrored)
        #expect(picture.sharpness > 0.02 && picture.sharpness < 1)
        #expect(picture.exposureMicroseconds != nil && picture.gain != nil)
      }
    }
  }

  /// The sharpness of a picture is that of the frame, whose middle is read once.
  @Test func `small pictures and glances are made from the camera's previews`() async throws {
    try await withRig(previewWidth: 1024) { rig in
      let (small, large) = (
        FrameSize(width: 320, height: 240), FrameSize(width: 640, height: 480)
      )
      try await eventually { (try? await rig.previews.glance()) != nil }
      #expect(rig.counter.leases.readCount == 0)
      var found: PreviewShot?
      try await eventually {
        found = try? await rig.previews.shot(within: [small, large]).get()
        return found != nil
      }
      #expect(rig.counter.leases.readCount == 1)
      let shot = try #require(found)
      #expect(try size(try #require(shot.pictures[small]).jpeg) == small)
      #expect(try size(try #require(shot.pictures[large]).jpeg) == large)
      #expect(try #require(shot.pictures[small]).sharpness > 0.02)
      #expect(await rig.model.capabilities().preview == SizeReport(width: 320, height: 240))
    }
    try await withRig { rig in
      try await eventually { (try? await rig.previews.glance()) != nil }
      #expect(rig.counter.leases.readCount >= 1)
      #expect(await rig.model.capabilities().preview == nil)
    }
  }

  @Test func `a viewer gets one frame after the other`() async throws {
    try await withRig { rig in
      var model = rig.model
      model.broadcast = PreviewBroadcast(source: rig.previews, clock: SystemMonotonicClock())
      let viewer = try model.watchPreview(PreviewStreamRequest(width: 320, height: 240, fps: 30))
      var frames: [Int64] = []
      for _ in 0..<4 { frames.append(try #require(try await viewer.next()).frame) }
      #expect(frames == frames.sorted() && Set(frames).count == frames.count)
      await rig.session.apply(CaptureConstraints(preview: .stopped))
      let error = await #expect(throws: APIError.self) {
        while try await viewer.next() != nil {}
        throw CancellationError()
      }
      #expect(error?.code == .unavailable && error?.message.contains("hot") == true)
    }
  }

  @Test func `a loupe shows pixels of the frame`() async throws {
    try await withRig { rig in
      let wanted = LoupeRequest(x: 500, y: 0, width: 128, height: 64)
      let picture = try await rig.model.loupe(wanted)
      #expect(try size(picture.jpeg) == FrameSize(width: 128, height: 64))
      #expect(picture.angle == 0 && rig.counter.leases.out == 0)
      await rig.session.apply(CaptureConstraints(preview: .stopped))
      let error = await #expect(throws: APIError.self) { try await rig.model.loupe(wanted) }
      #expect(error?.code == .unavailable)
      let limits: Set = [FrameSize(width: 64, height: 64)]
      guard case .failure(.stopped) = await rig.previews.shot(within: limits) else {
        Issue.record("a picture was made in spite of the heat")
        return
      }
    }
  }

  @Test func `the preview is upright in any position of the rig`() async throws {
    try await withRig { rig in
      rig.world.turn(to: 90)
      let gravity = rig.world.position.acceleration
      for _ in 0..<3 {
        await rig.session.update(
          AccelerometerSample(acceleration: gravity, time: SystemMonotonicClock().now))
      }
      let turned = try await rig.preview { $0.captureAngle == 90 }
      #expect(turned.width < turned.height)
      #expect(turned.frameSize == SizeReport(width: 640, height: 480))
    }
  }

  @Test func `the focus figure tells whether the page is in focus`() async throws {
    try await withRig { rig in
      rig.world.placePage(sharpAt: 3)
      func focus(at diopters: Double) async throws -> Double {
        var change = SessionChange()
        change.set(.focus) { $0.focusMode = .locked(lensPosition: diopters) }
        change.set(.exposure) { $0.exposureMode = .custom(duration: .milliseconds(10), gain: 1) }
        _ = try await rig.model.configureSession(change)
        let there = try await rig.preview { $0.diopters.map { abs($0 - diopters) < 0.01 } ?? false }
        return try await rig.preview { $0.frame >= there.frame + 3 }.focus
      }
      let blurred = try await focus(at: 8)
      let sharp = try await focus(at: 3)
      #expect(sharp > blurred * 1.02, "\(sharp) \(blurred)")
      let overview = await rig.model.session()
      #expect(overview.lens == LensReport(farthest: 0, nearest: 15, focusesAtPoint: true))
    }
  }

  @Test func `the accelerometer is read before and after its mount matrix`() async throws {
    try await withRig { rig in
      let none = await rig.model.accelerometer()
      #expect(none.state == "absent" && none.reading == nil)
      await rig.model.monitor.note(accelerometer: .ok)
      await rig.model.monitor.note(
        gravity: AccelerometerSample(
          acceleration: Acceleration(x: 0, y: 9.8, z: 0.1),
          sensor: Acceleration(x: 9.8, y: 0, z: -0.1), time: MonotonicInstant(nanoseconds: 7)))
      let report = await rig.model.accelerometer()
      #expect(report.state == "ok" && report.captureAngle == 0)
      #expect(report.reading?.sensor == [9.8, 0, -0.1])
      #expect(report.reading?.rig == [0, 9.8, 0.1])
      #expect(report.reading?.timeNanoseconds == 7)
    }
  }
}
