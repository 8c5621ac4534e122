import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct CaptureSessionTests {
  @Test func `two hundred presses take the nearest frame`() async throws {
    let rig = VirtualSession { $0.settings.frameRate = 50 }
    let harness = rig.harness
    await rig.wait()
    var random = TestSeed.generator()
    var errors: [Double] = []
    var intervals: [Double] = []
    for _ in 0..<200 {
      // A press of the near past or future: anywhere in the pipeline.
      let shift = Duration.microseconds(Int64.random(in: -20_000...20_000, using: &random))
      let time = rig.clock.now.advanced(by: shift)
      let record = try #require(await rig.press(at: time))
      guard case .stored = record.outcome else {
        Issue.record("press \(record.press.number): \(String(describing: record.outcome))")
        continue
      }
      let frame = try #require(record.frame)
      let delivered = harness.world.deliveredFrames()
      let best = try #require(
        delivered.map { abs(time.duration(to: $0.exposureMidpoint).inMilliseconds) }.min())
      let error = abs(try #require(record.selectionError).inMilliseconds)
      #expect(
        error <= best + 0.001, "press \(record.press.number) took a frame that is not nearest")
      // The pixels agree with the metadata.
      #expect(await harness.store.numbers[record.press.number] == UInt32(frame.id))
      errors.append(error)
      intervals.append(try #require(record.frameInterval).inMilliseconds)
    }
    let beyond = zip(errors, intervals).filter { $0 > $1 / 2 + 0.001 }
    #expect(beyond.isEmpty, "\(beyond), seed \(TestSeed.value)")
    errors.sort()
    print(
      "figure: 200 presses: selection error median \(errors[errors.count / 2].formatted) ms, worst "
        + "\((errors.last ?? .nan).formatted) ms, frame interval "
        + "\((intervals.max() ?? .nan).formatted) ms, in virtual time")
    await rig.stop()
  }

  @Test func `presses beyond the limit are refused and each has its outcome`() async throws {
    let harness = SessionHarness { $0.maximumCapturesInFlight = 2 }
    _ = await harness.wait()
    await harness.store.hold()
    var numbers: [Int64] = []
    for _ in 0..<5 {
      numbers.append(
        try await harness.session.press(at: harness.world.clock.now, source: .api))
    }
    _ = await harness.wait { $0.state == .notReadyWaitingForProcessing }
    await harness.store.letGo()
    var outcomes: [PressOutcome?] = []
    for number in numbers { outcomes.append(await harness.session.outcome(of: number)?.outcome) }
    let stored = outcomes.filter { if case .stored = $0 { true } else { false } }
    let refused = outcomes.filter { $0 == .refused(.tooManyCapturesInFlight) }
    #expect(stored.count == 2)
    #expect(refused.count == 3)
    #expect(await harness.session.pressCounts.inFlight == 0)
    await harness.stop()
  }

  @Test func `a stall is noticed and the camera is used again`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    rig.world.inject(.stalled)
    #expect(await rig.wait { $0.session.readiness.reasons.contains(.cameraStalled) })
    #expect(rig.session.readiness.state == .notReadyMomentarily)
    #expect(await rig.press()?.outcome == .refused(RefusalReason(.cameraStalled)))
    rig.world.clear(.stalled)
    #expect(await rig.wait())
    #expect(await rig.press()?.frame != nil)
    await rig.stop()
  }

  @Test(arguments: [
    (CameraFault.absent, InterruptionReason.cameraAbsent),
    (CameraFault.busy, InterruptionReason.cameraInUse),
    (CameraFault.permissionDenied, InterruptionReason.cameraNotAuthorized),
    (CameraFault.outOfMemory, InterruptionReason.buffersExhausted),
  ])
  func `faults at the start have their reason and end`(
    _ fault: CameraFault, _ reason: InterruptionReason
  ) async throws {
    let harness = SessionHarness(faults: [fault])
    let interrupted = await harness.wait { !$0.reasons.isEmpty }
    #expect(interrupted.reasons == [reason])
    #expect(try await harness.press()?.outcome == .refused(RefusalReason(reason)))
    harness.world.clear(fault)
    _ = await harness.wait()
    #expect(harness.session.readiness.reasons.isEmpty)
    await harness.stop()
  }

  @Test func `canceled requests restart the stream`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let starts = await harness.session.currentStatus.streamStartCount
    let events = harness.session.events.listen(limit: 4096)
    harness.world.cancelStreams()
    _ = await harness.wait(in: events) { !$0.reasons.isEmpty }
    _ = await harness.wait()
    #expect(await harness.session.currentStatus.streamStartCount == starts + 1)
    #expect(await harness.session.currentStatus.lastFault != nil)
    await harness.stop()
  }

  @Test func `damaged frames are never taken`() async throws {
    let rig = VirtualSession { $0.settings.frameRate = 50 }
    await rig.wait()
    rig.world.damageFrames(20)
    let record = try #require(await rig.press())
    #expect(record.frame != nil)
    #expect(await rig.session.currentStatus.damagedFrameCount > 0)
    await rig.stop()
  }

  @Test func `a press without a frame in time is refused`() async throws {
    let harness = SessionHarness {
      $0.stallTimeout = .seconds(30)
      $0.maximumWait = .milliseconds(100)
    }
    _ = await harness.wait()
    harness.world.inject(.stalled)
    // The press lies ahead of every frame that can still come out of the pipeline.
    let ahead = harness.world.clock.now.advanced(by: .milliseconds(500))
    #expect(try await harness.press(at: ahead)?.outcome == .refused(.noFrameInTime))
    harness.world.clear(.stalled)
    await harness.stop()
  }

  @Test func `every picture has the angle of its exposure`() async throws {
    let harness = SessionHarness { $0.mountingAngle = 90 }
    _ = await harness.wait()
    for (x, y, angle) in [(0.0, 9.8, 90), (-9.8, 0.0, 180), (0.0, -9.8, 270), (9.8, 0.0, 0)] {
      for _ in 0..<RotationCoordinator.agreement {
        await harness.session.update(
          AccelerometerSample(
            acceleration: Acceleration(x: x, y: y, z: 0), time: harness.world.clock.now))
      }
      let record = try #require(
        try await harness.press(at: harness.world.clock.now.advanced(by: .milliseconds(200))))
      #expect(record.captureAngle == angle)
      #expect(await harness.store.angles[record.press.number] == angle)
    }
    await harness.stop()
  }

  @Test func `a shutdown finishes taken presses and refuses the others`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    await harness.store.hold()
    let taken = try await harness.session.press(at: harness.world.clock.now, source: .button)
    try await eventually { await harness.store.arrivals != 0 }
    let waiting = try await harness.session.press(
      at: harness.world.clock.now.advanced(by: .seconds(600)), source: .button)
    async let stop: Void = harness.stop()
    #expect(
      await harness.session.outcome(of: waiting)?.outcome == .refused(.sessionNotRunning))
    await harness.store.letGo()
    await stop
    let outcome = await harness.session.outcome(of: taken)?.outcome
    guard case .stored = outcome else {
      Issue.record("the picture in flight got \(String(describing: outcome))")
      return
    }
    #expect(await harness.session.pressCounts.inFlight == 0)
  }

  @Test func `a camera can be chosen by position and ID`() async throws {
    var front = SimulatedCameraModel()
    front.id = "front-camera"
    front.position = .front
    var back = SimulatedCameraModel()
    back.id = "back-camera"
    back.position = .back
    for choice in [
      CaptureSessionConfiguration.CameraChoice.position(.front), .id("front-camera"),
    ] {
      let harness = SessionHarness(cameraModels: [back, front]) { $0.cameras = [.main: choice] }
      _ = await harness.wait()
      #expect(await harness.session.currentStatus.camera?.id == "front-camera")
      await harness.stop()
    }
    let harness = SessionHarness(cameraModels: [back]) { $0.cameras = [.main: .id("none")] }
    let readiness = await harness.wait { !$0.reasons.isEmpty }
    #expect(readiness.reasons == [.cameraAbsent])
    #expect(await harness.session.currentStatus.lastFault?.contains("back-camera") == true)
    await harness.stop()
  }
}

extension Double {
  /// The number with one decimal, for figures.
  fileprivate var formatted: String { String((self * 10).rounded() / 10) }
}
