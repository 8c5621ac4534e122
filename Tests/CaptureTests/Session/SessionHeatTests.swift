import Devices
import Testing

@testable import Capture

/// The restrictions of a constrained session.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionHeatTests {
  @Test func `refused shots are an interruption that ends`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    await harness.session.apply(CaptureConstraints(maximumFrameRate: 10))
    #expect(try await harness.press()?.frame != nil, "slow still takes pictures")
    await harness.session.apply(CaptureConstraints(maximumFrameRate: 10, shots: .refused))
    #expect(try await harness.press()?.outcome == .refused(RefusalReason(.thermalPressure)))
    #expect(harness.session.readiness.state == .notReadyMomentarily)
    #expect(harness.session.readiness.reasons == [.thermalPressure])
    await harness.session.apply(.none)
    _ = await harness.wait()
    #expect(try await harness.press()?.frame != nil)
    await harness.stop()
  }

  @Test func `the frame rate is the smaller of the configured and the allowed`() async throws {
    let harness = SessionHarness { $0.settings.frameRate = 50 }
    _ = await harness.wait()
    for (allowed, expected) in [(10.0, 10.0), (200.0, 50.0), (25.0, 25.0)] {
      await harness.session.apply(CaptureConstraints(maximumFrameRate: allowed))
      let duration = await harness.session.currentStatus.stream?.frameDuration
      #expect(duration == .seconds(1 / expected))
    }
    await harness.session.apply(.none)
    #expect(
      await harness.session.currentStatus.stream?.frameDuration == .seconds(1 / 50.0))
    await harness.stop()
  }

  /// The slow frames are still under way when the fast ones are wanted again.
  @Test(arguments: [20, 100, 220, 400, 700, 1100])
  func `a rate that was low for a moment interrupts nothing`(milliseconds: Int) async throws {
    let rig = VirtualSession { $0.stallTimeout = .milliseconds(150) }
    await rig.wait()
    for rate in [5.0, 2, 5] {
      await rig.session.apply(CaptureConstraints(maximumFrameRate: rate))
      await rig.pass(.milliseconds(milliseconds))
      await rig.session.apply(.none)
      await rig.pass(.milliseconds(milliseconds))
    }
    let log = await rig.session.interruptionLog
    #expect(log.lasting.isEmpty && log.ended.isEmpty, "\(log.lasting) \(log.ended)")
    await rig.stop()
  }

  @Test func `a press that comes too early is refused and readiness shows that before`()
    async throws
  {
    let rig = VirtualSession()
    await rig.wait()
    await rig.session.apply(CaptureConstraints(shots: .spaced(.seconds(3))))
    #expect(rig.session.readiness.state == .ready, "the first press waits for nothing")
    let first = try #require(await rig.press())
    #expect(first.frame != nil)
    let waiting = rig.session.readiness
    #expect(waiting.state == .notReadyMomentarily)
    #expect(waiting.reasons == [.thermalPressure])
    #expect(await rig.press()?.outcome == .refused(RefusalReason(.thermalPressure)))
    // The session is ready again by itself, and a refused press has not delayed that.
    await rig.wait()
    let second = try #require(await rig.press())
    #expect(second.frame != nil)
    let apart = first.press.time.duration(to: second.press.time)
    #expect(apart >= .seconds(3) && apart < .seconds(10), "\(apart)")
    await rig.session.apply(.none)
    #expect(rig.session.readiness.reasons == [])
    await rig.stop()
  }

  @Test func `only one of many simultaneous presses is taken`() async throws {
    let harness = SessionHarness { $0.maximumCapturesInFlight = 8 }
    _ = await harness.wait()
    await harness.session.apply(CaptureConstraints(shots: .spaced(.seconds(20))))
    let outcomes = await withTaskGroup(of: PressOutcome?.self) { group in
      for _ in 0..<8 { group.addTask { try? await harness.press()?.outcome } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let refused = outcomes.filter { $0 == .refused(RefusalReason(.thermalPressure)) }
    #expect(refused.count == 7)
    let counts = await harness.session.pressCounts
    #expect(counts.stored == 1 && counts.inFlight == 0)
    await harness.stop()
  }

  @Test func `a warning is shown and refuses no press`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    await harness.session.warn(of: .undervoltage)
    let warned = harness.session.readiness
    #expect(warned.state == .ready)
    #expect(warned.warnings == [.undervoltage])
    #expect(warned.reasons == [])
    #expect(try await harness.press()?.frame != nil)
    await harness.session.beginInterruption(.undervoltage)
    #expect(harness.session.readiness.warnings == [], "what interrupts is no mere warning")
    await harness.session.endInterruption(.undervoltage)
    await harness.session.endWarning(of: .undervoltage)
    #expect(harness.session.readiness.warnings == [])
    await harness.stop()
  }
}
