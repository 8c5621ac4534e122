import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct AnticipationTests {
  /// The frame of the moment is available long after the ring has moved past it.
  @Test func `the frame is kept until the gesture is decided`() async throws {
    let rig = VirtualSession { $0.stream.ringFrameCount = 4 }
    await rig.wait()
    let time = rig.clock.now
    let session = rig.session
    let anticipation = try #require(await session.anticipate(at: time))
    await rig.pass(.seconds(1))
    let record = try #require(
      await rig.during { () -> PressRecord? in
        let number = try? await session.press(
          at: time, source: .button, anticipation: anticipation)
        guard let number else { return nil }
        return await session.outcome(of: number)
      })
    guard case .stored = record.outcome else {
      Issue.record("\(String(describing: record.outcome))")
      return
    }
    let interval = try #require(record.frameInterval)
    #expect(abs(try #require(record.selectionError).inMilliseconds) <= interval.inMilliseconds)
    await rig.stop()
  }

  @Test func `a withdrawn anticipation holds no frame`() async throws {
    let harness = SessionHarness { $0.maximumCapturesInFlight = 1 }
    _ = await harness.wait()
    for round in 0..<40 {
      let anticipation = await harness.session.anticipate(at: harness.world.clock.now)
      if round % 2 == 0 { try await harness.wait(frames: 2) }
      if let anticipation { await harness.session.withdraw(anticipation) }
    }
    let record = try await harness.press()
    #expect(record?.frame != nil)
    let counts = await harness.session.pressCounts
    #expect(counts.stored == 1 && counts.refused == 0 && counts.inFlight == 0)
    await harness.stop()
  }

  @Test(arguments: [0, 1, 2, 3, 5])
  func `the press may come any time after its anticipation`(frames: UInt64) async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let time = harness.world.clock.now
    let anticipation = try #require(await harness.session.anticipate(at: time))
    try await harness.wait(frames: frames)
    let number = try await harness.session.press(
      at: time, source: .button, anticipation: anticipation)
    let record = await harness.session.outcome(of: number)
    #expect(record?.frame != nil)
    await harness.stop()
  }

  /// The samples of an accelerometer come in batches, but a picture needs those of its moment.
  @Test func `a push and an admitted press ask for gravity`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let requests = harness.session.gravityRequests.listen()
    let time = harness.world.clock.now
    let anticipation = try #require(await harness.session.anticipate(at: time))
    let number = try await harness.session.press(
      at: time, source: .button, anticipation: anticipation)
    #expect(await harness.session.outcome(of: number)?.frame != nil)
    await harness.stop()
    try await harness.session.press(at: harness.world.clock.now, source: .button)
    harness.session.gravityRequests.finish()
    let count = await requests.reduce(0) { count, _ in count + 1 }
    #expect(count == 2, "a refused press needs no sample")
  }

  @Test func `an ended stream takes the frame with it only if it never came`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let ahead = harness.world.clock.now.advanced(by: .seconds(600))
    let anticipation = try #require(await harness.session.anticipate(at: ahead))
    let events = harness.session.events.listen(limit: 4096)
    harness.world.cancelStreams()
    _ = await harness.wait(in: events) { !$0.reasons.isEmpty }
    _ = await harness.wait()
    let number = try await harness.session.press(
      at: ahead, source: .button, anticipation: anticipation)
    let record = await harness.session.outcome(of: number)
    #expect(record?.outcome == .refused(.noFrameInTime))
    await harness.stop()
  }
}
