import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// Brackets of the whole session on the simulated board, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionBracketTests {
  private func press(_ rig: VirtualSession, _ text: String) async throws -> PressRecord? {
    let (session, clock) = (rig.session, rig.clock)
    let settings = PhotoSettings(bracket: try Bracket(text))
    return await rig.during { () async -> PressRecord? in
      guard
        let number = try? await session.press(at: clock.now, source: .api, settings: settings)
      else { return nil }
      return await session.outcome(of: number)
    }
  }

  private func product(_ frame: FrameInfo) -> Double {
    let exposure = frame.exposureDuration.map { Double($0.wholeNanoseconds) } ?? 0
    return exposure * (frame.analogueGain ?? 0) * (frame.digitalGain ?? 1)
  }

  private func reason(_ record: PressRecord?) -> RefusalReason? {
    if case .refused(let reason)? = record?.outcome { reason } else { nil }
  }

  @Test func `three exposures come within eight frames and the camera is as before`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let before = try #require(await rig.frames().last)
    let begin = rig.clock.now
    let record = try #require(await press(rig, "ev=-2,0,2"))
    guard case .stored? = record.outcome else {
      Issue.record("refused: \(record)")
      return
    }
    let frames = await rig.harness.store.latestFrames
    #expect(frames.map(\.place?.index) == [1, 2, 3] && frames.map(\.place?.count) == [3, 3, 3])
    #expect(frames.map(\.place?.exposureBias) == [-2, 0, 2])
    for (frame, factor) in zip(frames, [0.25, 1, 4]) {
      let share = product(frame.info) / product(before) / factor
      #expect(abs(share - 1) < 0.02, "\(factor)")
    }
    let last = try #require(frames.map(\.info.timestamp).max())
    #expect(begin.duration(to: last) <= .milliseconds(34 * 8))
    await rig.wait()
    let after = try #require(await rig.frames().last)
    #expect(abs(product(after) / product(before) - 1) < 0.02)
    #expect(after.exposureState == before.exposureState)
    let counts = await rig.session.pressCounts
    #expect(counts.stored == 1 && counts.refused == 0 && counts.inFlight == 0)
    await rig.stop()
  }

  @Test func `a bracket of the focus moves the lens and returns it`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let before = try #require(await rig.frames().last?.lensPosition)
    _ = try await press(rig, "focus=4,6,1")
    let frames = await rig.harness.store.latestFrames
    #expect(frames.map(\.info.lensPosition) == [4, 6, 1])
    await rig.pass(.seconds(1))
    #expect(try #require(await rig.frames().last?.lensPosition) == before)
    await rig.stop()
  }

  @Test func `other presses are refused meanwhile and taken afterward`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let (session, clock) = (rig.session, rig.clock)
    let numbers = await rig.during { () async -> [Int64] in
      let bracket = try? await session.press(
        at: clock.now, source: .api, settings: PhotoSettings(bracket: .standard))
      let single = try? await session.press(at: clock.now, source: .button)
      let other = try? await session.press(
        at: clock.now, source: .api, settings: PhotoSettings(bracket: .standard))
      return [bracket, single, other].compactMap(\.self)
    }
    try #require(numbers.count == 3)
    let records = await rig.during { () async -> [PressRecord?] in
      var records: [PressRecord?] = []
      for number in numbers { records.append(await session.outcome(of: number)) }
      return records
    }
    #expect(reason(records[1]) == .bracketInProgress && reason(records[2]) == .bracketInProgress)
    #expect(records[1]?.readiness == .notReadyWaitingForCapture)
    #expect(records.map { $0?.bracket } == [.standard, nil, .standard])
    #expect(reason(records[0]) == nil)
    await rig.wait()
    let later = try #require(await rig.press())
    #expect(reason(later) == nil, "\(later)")
    await rig.stop()
  }

  @Test(arguments: ["ev=-8,8", "focus=2,99", "ms=0.001,20000"])
  func `a step beyond the limits changes nothing`(text: String) async throws {
    let rig = VirtualSession()
    await rig.wait()
    let record = try await press(rig, text)
    #expect(reason(record) == .bracketOutOfRange)
    #expect(try record?.bracket == Bracket(text))
    #expect(await rig.harness.store.arrivals == 0)
    #expect(rig.session.readiness.state == .ready)
    await rig.stop()
  }

  @Test func `a camera without controls cannot bracket`() async throws {
    let rig = VirtualSession(cameraModels: [.withoutControls()])
    await rig.wait()
    #expect(reason(try await press(rig, "ev=-1,1")) == .bracketNotSupported)
    #expect(rig.session.readiness.state == .ready)
    await rig.stop()
  }

  @Test func `a bracket ends with its stream and the next press is taken`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let (session, clock) = (rig.session, rig.clock)
    let number = try #require(
      await rig.during {
        try? await session.press(
          at: clock.now, source: .api, settings: PhotoSettings(bracket: .standard))
      })
    _ = await rig.during {
      try? await session.configure { $0.preset = .custom(FrameSize(width: 480, height: 270)) }
    }
    let record = await rig.during { await session.outcome(of: number) }
    // The change waits for the bracket, which is whole.
    #expect(record.map { reason($0) } == .some(nil))
    #expect(await rig.harness.store.latestFrames.count == 3)
    await rig.wait()
    #expect(reason(await rig.press()) == nil)
    await rig.stop()
  }

  @Test func `the end of the session refuses a bracket in progress`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let (session, clock) = (rig.session, rig.clock)
    let number = try #require(
      await rig.during {
        try? await session.press(
          at: clock.now, source: .api, settings: PhotoSettings(bracket: .standard))
      })
    await rig.stop()
    let record = await session.record(of: number)
    #expect(record?.outcome != nil)
    let counts = await session.pressCounts
    #expect(counts.inFlight == 0 && counts.stored + counts.refused == 1)
  }
}
