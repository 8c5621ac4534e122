import Devices
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture

/// The light of the frames that presses with different flash modes get, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionFlashTests {
  private func rig(
    _ mode: LampPolicy.Mode = .shot, hold: Duration = .zero, hasLamp: Bool = true,
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) async -> VirtualSession {
    let rig = VirtualSession(hasLamp: hasLamp) {
      $0.lamp = LampPolicy(mode: mode, leadTime: .milliseconds(100), holdTime: hold)
      $0.stallTimeout = .seconds(1)
      change(&$0)
    }
    rig.world.setLampPower(16)
    await rig.wait()
    return rig
  }

  private func press(_ rig: VirtualSession, _ flash: FlashMode?) async throws -> PressRecord {
    let (session, now) = (rig.session, rig.clock.now)
    let record = await rig.during { () -> PressRecord? in
      let number = try? await session.press(
        at: now, source: .api, settings: PhotoSettings(flashMode: flash))
      guard let number else { return nil }
      return await session.outcome(of: number)
    }
    return try #require(record)
  }

  /// Returns whether a frame was exposed in the lamp's light, or wholly without; `nil` for partly.
  private func isLit(_ record: PressRecord, _ world: SimulatedWorld) throws -> Bool? {
    let frame = try #require(record.frame, "\(record)")
    let begin = frame.timestamp.advanced(by: .zero - (frame.exposureDuration ?? .zero))
    let end = frame.timestamp.advanced(by: frame.readoutDuration)
    let history = world.lampHistory
    guard !history.contains(where: { $0.since > begin && $0.since < end }) else { return nil }
    return history.last { $0.since <= begin }?.isOn ?? false
  }

  /// Checks that a press got the light that its record says.
  private func expect(
    _ record: PressRecord, _ flash: ResolvedFlash, isFired: Bool, in world: SimulatedWorld
  ) throws {
    #expect(record.flash == flash)
    #expect(record.isFlashFired == isFired)
    #expect(try isLit(record, world) == isFired, "\(record) \(world.lampHistory)")
    #expect(record.frame?.adjusting.contains(.exposure) == false)
  }

  @Test(arguments: [Duration.zero, .seconds(2)])
  func `each press has the light that it asks for`(hold: Duration) async throws {
    let rig = await rig(hold: hold)
    let on = ResolvedFlash(mode: .on, isEnabled: true)
    let off = ResolvedFlash(mode: .off, isEnabled: false)
    try expect(try await press(rig, .off), off, isFired: false, in: rig.world)
    #expect(rig.world.lampHistory.isEmpty)
    try expect(try await press(rig, .on), on, isFired: true, in: rig.world)
    try expect(try await press(rig, .off), off, isFired: false, in: rig.world)
    try expect(try await press(rig, nil), on, isFired: true, in: rig.world)
    await rig.stop()
  }

  @Test func `a press without a flash costs no time while the lamp is dark`() async throws {
    let rig = await rig()
    await rig.pass(.milliseconds(500))
    let error = try #require(try await press(rig, .off).selectionError)
    #expect(abs(error.inMilliseconds) < 34)
    await rig.stop()
  }

  @Test(arguments: [[FlashMode.on, .off, .on], [.off, .on, .off]])
  func `presses in flight with different wishes get frames of their own light`(
    modes: [FlashMode]
  ) async throws {
    let rig = await rig { $0.maximumCapturesInFlight = 3 }
    let (session, now) = (rig.session, rig.clock.now)
    let records = await rig.during {
      var numbers: [Int64] = []
      for mode in modes {
        let number = try? await session.press(
          at: now, source: .api, settings: PhotoSettings(flashMode: mode))
        if let number { numbers.append(number) }
      }
      var records: [PressRecord] = []
      for number in numbers {
        if let record = await session.outcome(of: number) { records.append(record) }
      }
      return records
    }
    try #require(records.count == modes.count)
    for (record, mode) in zip(records, modes) {
      let flash = ResolvedFlash(mode: mode, isEnabled: mode == .on)
      try expect(record, flash, isFired: mode == .on, in: rig.world)
    }
    await rig.stop()
  }

  @Test func `auto lights the lamp for a dark page only`() async throws {
    let rig = await rig { $0.settings.flashMode = .auto }
    await rig.pass(.seconds(1))
    let bright = ResolvedFlash(mode: .auto, isEnabled: false)
    try expect(try await press(rig, nil), bright, isFired: false, in: rig.world)
    rig.world.expose(for: .milliseconds(120), gain: 2)
    await rig.pass(.seconds(2))
    for _ in 0..<2 {
      // The lamp's own light does not make the page bright.
      let dark = ResolvedFlash(mode: .auto, isEnabled: true)
      try expect(try await press(rig, nil), dark, isFired: true, in: rig.world)
    }
    rig.world.expose(for: .milliseconds(10), gain: 1.5)
    await rig.pass(.seconds(3))
    try expect(try await press(rig, .auto), bright, isFired: false, in: rig.world)
    await rig.stop()
  }

  @Test func `auto lights the lamp where a fixed exposure measures nothing`() async throws {
    let rig = await rig {
      $0.settings.controls.exposureMode = .custom(duration: .milliseconds(10), gain: 1)
    }
    await rig.pass(.seconds(1))
    let flash = ResolvedFlash(mode: .auto, isEnabled: true)
    try expect(try await press(rig, .auto), flash, isFired: true, in: rig.world)
    await rig.stop()
  }

  @Test func `an anticipated press has the session's flash`() async throws {
    let rig = await rig { $0.settings.flashMode = .off }
    let session = rig.session
    let time = rig.clock.now
    let anticipation = try #require(await session.anticipate(at: time))
    let kept = await rig.during { () -> PressRecord? in
      let number = try? await session.press(at: time, source: .button, anticipation: anticipation)
      guard let number else { return nil }
      return await session.outcome(of: number)
    }
    let off = ResolvedFlash(mode: .off, isEnabled: false)
    try expect(try #require(kept), off, isFired: false, in: rig.world)
    #expect(rig.world.lampHistory.isEmpty)
    await rig.stop()
  }

  @Test func `a failing lamp takes the picture without its light and says so`() async throws {
    let rig = await rig()
    rig.world.setLampFault(.inputOutput)
    let flash = ResolvedFlash(mode: .on, isEnabled: true)
    try expect(try await press(rig, .on), flash, isFired: false, in: rig.world)
    await rig.stop()
  }

  @Test func `a lamp that is always lit refuses to be dark`() async throws {
    let rig = await rig(.session)
    await rig.wait(for: .seconds(5)) { $0.world.isLampOn }
    #expect(rig.session.flashModes == [.on, .auto])
    let refused = try await press(rig, .off)
    #expect(refused.outcome == .refused(.lampStaysLit))
    for mode in [FlashMode.on, .auto] {
      let flash = ResolvedFlash(mode: mode, isEnabled: true)
      try expect(try await press(rig, mode), flash, isFired: true, in: rig.world)
    }
    let failure = await #expect(throws: ConfigurationFailure.self) {
      try await rig.session.configure { $0.flashMode = .off }
    }
    #expect(failure?.consequence == .refused)
    #expect(failure?.description.contains("lamp.mode: session") == true)
    await rig.stop()
  }

  @Test func `a rig without a lamp refuses a flash and takes all other pictures`() async throws {
    let rig = await rig(hasLamp: false)
    #expect(rig.session.flashModes == [.off])
    for mode in [FlashMode.on, .auto] {
      #expect(try await press(rig, mode).outcome == .refused(.noLamp))
    }
    for mode in [FlashMode.off, nil] {
      let record = try await press(rig, mode)
      #expect(record.frame != nil && record.flash == nil && record.isFlashFired == nil)
    }
    let failure = await #expect(throws: ConfigurationFailure.self) {
      try await rig.session.configure { $0.flashMode = .on }
    }
    #expect(failure?.description.contains("the rig has no lamp") == true)
    await rig.stop()
  }
}
