import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// Brackets of lamps of the whole session on the simulated board, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionLampBracketTests {
  private func press(_ rig: VirtualSession, _ text: String) async throws -> PressRecord? {
    let (session, clock) = (rig.session, rig.clock)
    let settings = PhotoSettings(bracket: try Bracket(text), merge: .only)
    return await rig.during { () async -> PressRecord? in
      guard
        let number = try? await session.press(at: clock.now, source: .api, settings: settings)
      else { return nil }
      return await session.outcome(of: number)
    }
  }

  /// Returns the lamps that were lit during a whole exposure, and for the lead before it.
  private func lamps(of frame: FrameInfo, _ world: SimulatedWorld) -> Set<String>? {
    let begin = frame.timestamp.advanced(by: .zero - (frame.exposureDuration ?? .zero))
    let end = frame.timestamp.advanced(by: frame.readoutDuration)
    let changes = world.lampHistory
    guard let last = changes.lastIndex(where: { $0.since <= begin }) else { return nil }
    let isCut = changes.dropFirst(last + 1).first.map { $0.since < end } ?? false
    let isEarly = changes[last].since.advanced(by: LampPolicy().leadTime) > begin
    return isCut || isEarly ? nil : changes[last].lit
  }

  /// With the lamp's power, the exposure has to settle in each light.
  @Test(arguments: [1.0, 3.0], [false, true])
  func `each frame has the light of its lamp alone`(power: Double, hasLamp: Bool) async throws {
    let rig = VirtualSession(hasLamp: hasLamp, lamps: ["left", "right"]) {
      $0.lamp.mode = .shot
    }
    rig.world.setLampPower(power)
    await rig.wait()
    let events = rig.session.events.listen(where: { if case .progress = $0 { true } else { false } }
    )
    let record = try #require(try await press(rig, "lamps=right,left"))
    guard case .stored = record.outcome else {
      Issue.record("refused: \(record)")
      return
    }
    let frames = await rig.harness.store.latestFrames
    #expect(frames.map(\.place?.lamp) == ["right", "left"])
    #expect(frames.map(\.isFlashFired) == [true, true])
    #expect(record.flash?.mode == .on && record.isFlashFired == true)
    for frame in frames {
      #expect(lamps(of: frame.info, rig.world) == frame.place?.lamp.map { [$0] }, "\(frame)")
    }
    await rig.wait()
    #expect(!rig.world.isLampOn)
    await rig.stop()
    var flashes: [ResolvedFlash?] = []
    for await case .progress(let progress) in events {
      if case .settingsResolved(let settings) = progress.step { flashes.append(settings.flash) }
    }
    #expect(flashes.map { $0?.mode } == [.on], "the lamps of the steps, not the session's")
    #expect(flashes.map { $0?.isEnabled } == [true])
  }

  @Test func `a lamp that is not there and another light refuse the press`() async throws {
    let rig = VirtualSession(lamps: ["left", "right"])
    await rig.wait()
    #expect(rig.session.bracketLamps == ["left", "right"])
    #expect(try await press(rig, "lamps=left,top")?.outcome == .refused(.noLamp))
    await rig.stop()
    let lit = VirtualSession(hasLamp: true, lamps: ["left", "right"])
    await lit.wait()
    #expect(lit.session.bracketLamps.isEmpty)
    #expect(try await press(lit, "lamps=left,right")?.outcome == .refused(.lampStaysLit))
    #expect(await lit.harness.store.arrivals == 0)
    await lit.stop()
  }

  @Test func `a lamp that fails refuses its bracket, and the next one is taken`() async throws {
    let rig = VirtualSession(lamps: ["left", "right"])
    await rig.wait()
    rig.world.setLampFault(.inputOutput)
    let refused = try await press(rig, "lamps=left,right")
    #expect(refused?.outcome == .refused(.bracketNotSupported))
    #expect(await rig.harness.store.arrivals == 0)
    rig.world.setLampFault(nil)
    await rig.wait()
    guard case .stored? = try await press(rig, "lamps=left,right")?.outcome else {
      Issue.record("the second bracket was refused")
      return
    }
    await rig.stop()
    #expect(!rig.world.isLampOn)
  }

  @Test func `a lamp that stays lit after its bracket is a warning and is tried again`()
    async throws
  {
    let rig = VirtualSession(lamps: ["left", "right"])
    await rig.wait()
    let (session, clock) = (rig.session, rig.clock)
    let settings = PhotoSettings(bracket: try Bracket("lamps=left,right"), merge: .only)
    let admitted = await rig.during {
      try? await session.press(at: clock.now, source: .api, settings: settings)
    }
    let number = try #require(admitted)
    // The first lamp goes dark, and the last one does not.
    let isLast = await rig.wait(for: .seconds(5)) { $0.world.lampHistory.last?.lit == ["right"] }
    #expect(isLast)
    rig.world.setLampFault(.staysLit)
    let outcome = await rig.during { await session.outcome(of: number)?.outcome }
    guard case .stored? = outcome else {
      Issue.record("the bracket was refused")
      return
    }
    await rig.wait(for: .seconds(5)) { $0.session.readiness.warnings == [.lamp] }
    #expect(rig.session.readiness.warnings == [.lamp] && rig.world.isLampOn)
    // The next tries fail, too, and are no business of a bracket without lamps.
    for _ in 0..<3 {
      await rig.wait()
      guard case .stored? = try await press(rig, "ev=-1,0,1")?.outcome else {
        Issue.record("another bracket was refused")
        return
      }
      await rig.pass(.seconds(2))
    }
    #expect(rig.session.readiness.warnings == [.lamp])
    rig.world.setLampFault(nil)
    await rig.wait(for: .seconds(10)) { $0.session.readiness.warnings.isEmpty }
    #expect(rig.session.readiness.warnings == [] && !rig.world.isLampOn)
    await rig.stop()
  }
}
