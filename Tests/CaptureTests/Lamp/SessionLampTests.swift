import Devices
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// The times at which a session lights its lamp, and the frames that it takes, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionLampTests {
  private static let lead = Duration.milliseconds(250)

  private func rig(
    _ mode: LampPolicy.Mode, hold: Duration = .zero, lamp: (any Lamp)? = nil,
    faults: [CameraFault] = []
  ) -> VirtualSession {
    VirtualSession(faults: faults, hasLamp: true, lamp: lamp) {
      $0.lamp = LampPolicy(mode: mode, leadTime: Self.lead, holdTime: hold)
      $0.stallTimeout = .seconds(1)
    }
  }

  /// Returns whether a frame was wholly exposed in the lamp's light, including the lead time.
  private func isLit(_ frame: FrameInfo, _ world: SimulatedWorld) -> Bool {
    let begin = frame.timestamp.advanced(by: .zero - (frame.exposureDuration ?? .zero))
    let end = frame.timestamp.advanced(by: frame.readoutDuration)
    let history = world.lampHistory
    return history.indices.contains { (index: Int) -> Bool in
      guard history[index].isOn, begin >= history[index].since.advanced(by: Self.lead) else {
        return false
      }
      guard index + 1 < history.count else { return true }
      return end <= history[index + 1].since
    }
  }

  @Test func `the lamp is lit as long as the session streams`() async throws {
    let rig = rig(.session, faults: [.absent])
    #expect(!rig.world.isLampOn)
    rig.world.clear(.absent)
    await rig.wait()
    let first = try #require(await rig.press()?.frame)
    #expect(rig.world.isLampOn && isLit(first, rig.world))
    let status = await rig.session.currentStatus
    #expect(status.lamp == LampStatus(isLit: true))
    await rig.session.stop()
    let isDark = await rig.wait(for: .seconds(5)) { !$0.world.isLampOn }
    #expect(isDark, "stopped")
    await rig.session.resume()
    await rig.wait()
    let second = try #require(await rig.press()?.frame)
    #expect(isLit(second, rig.world))
    rig.world.inject(.absent)
    let isDarkAgain = await rig.wait(for: .seconds(20)) { !$0.world.isLampOn }
    #expect(isDarkAgain, "the camera is lost")
    rig.world.clear(.absent)
    await rig.wait()
    await rig.wait(for: .seconds(5)) { $0.world.isLampOn }
    #expect(rig.world.isLampOn)
    await rig.stop()
    #expect(!rig.world.isLampOn, "shut down")
  }

  @Test func `the lamp is lit for each shot and no frame is taken before`() async throws {
    let rig = rig(.shot)
    await rig.wait()
    await rig.pass(.seconds(1))
    #expect(rig.world.lampHistory.isEmpty, "nobody has pressed")
    var frames: Set<UInt64> = []
    for pause in [0, 30, 90, 400, 1500] {
      let record = try #require(await rig.press())
      let frame = try #require(record.frame)
      #expect(isLit(frame, rig.world), "\(record) \(rig.world.lampHistory)")
      let error = try #require(record.selectionError)
      #expect(error > .milliseconds(-34) && error < .milliseconds(450), "\(error)")
      let isNew = frames.insert(frame.id).inserted
      #expect(isNew, "two presses, two pictures")
      await rig.pass(.milliseconds(pause))
    }
    let isDark = await rig.wait(for: .seconds(1)) { !$0.world.isLampOn }
    #expect(isDark)
    #expect(rig.world.lampHistory.count >= 4)
    await rig.stop()
  }

  @Test func `shots in a row share the light`() async throws {
    let rig = rig(.shot, hold: .seconds(2))
    await rig.wait()
    let first = try #require(await rig.press())
    await rig.pass(.seconds(1))
    let second = try #require(await rig.press())
    let history = rig.world.lampHistory
    #expect(history.count == 1, "\(history)")
    #expect(isLit(try #require(first.frame), rig.world))
    let error = try #require(second.selectionError)
    #expect(abs(error.inMilliseconds) < 34, "a lit lamp costs no time")
    await rig.pass(.seconds(3))
    try await eventually { !rig.world.isLampOn }
    await rig.stop()
  }

  @Test(arguments: [FlashMode.on, .off, .auto])
  func `a recording is lit where all pictures are, and dark in a pause`(mode: FlashMode)
    async throws
  {
    let rig = VirtualSession(hasLamp: true) {
      $0.lamp = LampPolicy(mode: .shot, leadTime: Self.lead, holdTime: .zero)
      $0.settings.flashMode = mode
      $0.recordsMovies = true
    }
    await rig.wait()
    let film = Film()
    let session = rig.session
    let movie = try await session.startMovie(MovieSettings()) { film.makeWriter() }
    await rig.pass(.seconds(1))
    #expect(rig.world.isLampOn == (mode == .on))
    try await session.pauseMovie()
    let isDark = await rig.wait(for: .seconds(5)) { !$0.world.isLampOn }
    #expect(isDark && rig.world.lampHistory.isEmpty == (mode != .on))
    try await session.stopMovie()
    #expect(await rig.during { await session.outcome(ofMovie: movie) } != nil)
    await rig.stop()
  }

  @Test func `an anticipated press lights the lamp already`() async throws {
    let rig = rig(.shot)
    await rig.wait()
    let session = rig.session
    let time = rig.clock.now
    let anticipation = try #require(await session.anticipate(at: time))
    await rig.pass(.milliseconds(20))
    // The lamp has an executor of its own, for which no clock here waits.
    try await eventually { rig.world.isLampOn }
    await session.withdraw(anticipation)
    await rig.pass(.milliseconds(60))
    try await eventually { !rig.world.isLampOn }  // The button caused no press.
    await rig.stop()
  }

  @Test(arguments: [LampPolicy.Mode.session, .shot])
  func `a failing lamp is a warning and the picture is taken`(_ mode: LampPolicy.Mode)
    async throws
  {
    let rig = rig(mode, faults: [.absent])
    rig.world.setLampFault(.inputOutput)
    rig.world.clear(.absent)
    await rig.wait()
    let record = try #require(await rig.press())
    #expect(record.frame != nil)
    // The lamp has an executor of its own, for which no clock here waits.
    await rig.wait(for: .seconds(5)) { $0.session.readiness.warnings == [.lamp] }
    #expect(rig.session.readiness.warnings == [.lamp])
    let status = await rig.session.currentStatus
    #expect(status.lamp?.isLit == false && status.lamp?.fault?.contains("rig:lamp") == true)
    rig.world.setLampFault(nil)
    await rig.pass(.seconds(6))
    let again = try #require(await rig.press()?.frame)
    #expect(isLit(again, rig.world))
    await rig.wait(for: .seconds(5)) { $0.session.readiness.warnings.isEmpty }
    #expect(rig.session.readiness.warnings == [])
    await rig.stop()
  }

  @Test(arguments: [false, true])
  func `a hanging lamp holds back no picture`(hasShone: Bool) async throws {
    let lamp = HangingLamp()
    let rig = rig(.shot, lamp: lamp)
    await rig.wait()
    if hasShone {
      lamp.letGo()
      for _ in 0..<3 { #expect(await rig.press()?.frame != nil) }
      await rig.wait(for: .seconds(5)) { _ in !lamp.isLit }
      lamp.hang()
    }
    let record = try #require(await rig.press())
    #expect(record.frame != nil, "\(record)")
    await rig.wait(for: .seconds(5)) { $0.session.readiness.warnings == [.lamp] }
    #expect(rig.session.readiness.warnings == [.lamp])
    lamp.letGo()
    await rig.wait(for: .seconds(5)) { $0.session.readiness.warnings.isEmpty }
    #expect(rig.session.readiness.warnings == [])
    await rig.stop()
  }

  @Test func `work that holds the light begins in it and lets it go`() async throws {
    let rig = rig(.shot)
    await rig.wait()
    let session = rig.session
    let begin = rig.clock.now
    await rig.during(sleepers: 1) { await session.holdLight() }
    #expect(rig.world.isLampOn)
    #expect(begin.duration(to: rig.clock.now) >= Self.lead)
    await session.releaseLight()
    let isDark = await rig.wait(for: .seconds(5)) { !$0.world.isLampOn }
    #expect(isDark)
    await rig.stop()
  }

  @Test func `a calibration has the lamp's light`() async throws {
    let rig = rig(.shot)
    await rig.wait()
    let session = rig.session
    let begin = rig.clock.now
    let found = await rig.during(sleepers: 1) { try? await session.calibrate() }
    #expect(found?.lensPosition == 2)
    let history = rig.world.lampHistory
    #expect(history.map(\.isOn) == [true, false], "\(history)")
    #expect(begin.duration(to: rig.clock.now) >= Self.lead)
    await rig.stop()
  }
}

/// A lamp whose calls return only when released.
private final class HangingLamp: Lamp {
  private struct State {
    var isHanging = true
    var isLit = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let name = "hanging"
  private let state = Mutex(State())

  func turn(on isOn: Bool) async throws(DeviceError) {
    await withCheckedContinuation { continuation in
      let mayGo = state.withLock { state in
        state.isLit = isOn
        if state.isHanging { state.waiting.append(continuation) }
        return !state.isHanging
      }
      if mayGo { continuation.resume() }
    }
  }

  func release() async {}

  var isLit: Bool { state.withLock { $0.isLit } }

  func hang() { state.withLock { $0.isHanging = true } }

  func letGo() {
    let waiting = state.withLock { state in
      state.isHanging = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
