import Devices
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Capture
@testable import Service

@Suite(.timeLimit(.minutes(10))) struct IndicatorServiceTests {
  private let bench = ServiceBench()
  private let indicators: [IndicatorRole: any Indicator]
  private let life = Life()
  private static let busy = IndicatorPattern.blink(on: .milliseconds(60), off: .milliseconds(60))
  private static let refused = IndicatorPattern.blink(
    on: .milliseconds(100), off: .milliseconds(100))

  init() {
    let world = bench.world
    indicators = Dictionary(
      uniqueKeysWithValues: IndicatorRole.allCases.map {
        ($0, SimulatedIndicator(world: world, role: $0))
      })
    bench.monitor.follow(bench.session.events)
  }

  private var service: IndicatorService {
    IndicatorService(
      indicators: indicators, monitor: bench.monitor, isAlive: { [life] in await life.isAlive },
      clock: bench.clock, logger: bench.log.logger)
  }

  private func report(
    _ state: CaptureReadiness, _ reasons: [InterruptionReason] = [], capturesInFlight: Int = 0
  ) {
    bench.session.events.send(
      .readiness(Readiness(state: state, reasons: reasons, capturesInFlight: capturesInFlight)))
  }

  private func until(_ role: IndicatorRole, shows pattern: IndicatorPattern) async {
    for await snapshot in bench.world.snapshots()
    where snapshot.indicatorStates[role]?.pattern == pattern { break }
  }

  @Test func `the lights follow the monitor and are off at the end`() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      await until(.upload, shows: .off)
      report(.ready)
      await until(.ready, shows: .on)
      report(.ready, capturesInFlight: 1)
      await until(.ready, shows: .blink(on: .milliseconds(60), off: .milliseconds(60)))
      report(.notReadyMomentarily, [.storageFull, .thermalPressure])
      await until(.fault, shows: BlinkCode(3, 1).pattern)
      await until(.single, shows: BlinkCode(3, 1).pattern)
      await until(.ready, shows: .off)
      report(.ready)
      await until(.fault, shows: .off)
      await bench.monitor.note(accelerometer: .frozen)
      await until(.fault, shows: BlinkCode(6, 2).pattern)
      await until(.single, shows: BlinkCode(6, 2).inversePattern)
      let fault = RigMonitor.Fault(reason: .buttonStuck, part: "pedal")
      await bench.monitor.begin(fault)
      await until(.fault, shows: BlinkCode(5, 1).pattern)
      await bench.monitor.end(fault)
      await until(.fault, shows: BlinkCode(6, 2).pattern)
      await bench.monitor.note(upload: .active, detail: nil, target: "a")
      await until(.upload, shows: .on)
      await bench.monitor.note(
        upload: .waitingToRetry, detail: "the target is away", target: "a")
      await until(.upload, shows: .flashes(2))
      await bench.monitor.note(uploadsPaused: true)
      await until(.upload, shows: .blink(on: .milliseconds(100), off: .milliseconds(2900)))
      await bench.monitor.note(powerOffArmedUntil: bench.clock.now)
      for role in IndicatorRole.allCases { await until(role, shows: IndicatorLanguage.armed) }
      await bench.monitor.note(powerOffArmedUntil: nil)
      await until(.power, shows: .on)
      try await eventually { await bench.monitor.snapshot.lights[.power]?.pattern == .on }
      let known = await bench.monitor.snapshot.lights
      #expect(Set(known.keys) == Set(IndicatorRole.allCases))
      #expect(known.values.allSatisfy { !$0.isFailing })
    }
    for role in IndicatorRole.allCases {
      #expect(bench.world.indicatorStates[role]?.pattern == .off, "\(role)")
      #expect(bench.world.indicatorHistory(role).count > 1, "\(role) was lit before")
    }
  }

  @Test func `the state at the start is shown at once`() async throws {
    report(.ready)
    try await bench.whileRunning(service) { await until(.ready, shows: .on) }
    #expect(bench.world.indicatorStates[.ready]?.pattern == .off)
  }

  private func report(press number: Int64, _ outcome: PressOutcome?) {
    var record = PressRecord(press: Press(number: number, source: .button, time: bench.clock.now))
    record.outcome = outcome
    bench.session.events.send(.press(record))
  }

  @Test func `a refused press is shown for a second`() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      report(.notReadyWaitingForProcessing, capturesInFlight: 3)
      await until(.ready, shows: Self.busy)
      for number in 3...5 { report(press: Int64(number), nil) }
      report(press: 4, .refused(.encodingFailed))
      await until(.fault, shows: Self.refused)
      await until(.ready, shows: .off)
      await until(.single, shows: .off)
      let photo = StoredPhoto(itemID: "5", path: "/5", byteCount: 1, sha256: "")
      report(press: 5, .stored(photo))
      report(.ready, capturesInFlight: 1)
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .milliseconds(900))
      #expect(bench.world.indicatorStates[.fault]?.pattern == Self.refused)
      bench.clock.advance(by: .milliseconds(100))
      await until(.fault, shows: .off)
      await until(.ready, shows: Self.busy)
      report(press: 3, .refused(.noFrameInTime))
      await until(.fault, shows: Self.refused)
    }
  }

  @Test func `an accepted press ends the display of a refused one`() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      report(.ready)
      report(press: 7, .refused(.noFrameInTime))
      await until(.fault, shows: Self.refused)
      report(press: 8, nil)
      await until(.fault, shows: .off)
      await until(.ready, shows: .on)
    }
  }

  /// Reports a stored picture with warnings.
  private func report(stored number: Int64, _ warnings: PageWarning...) {
    var photo = StoredPhoto(itemID: "\(number)", path: "/\(number)", byteCount: 1, sha256: "")
    photo.page = PageFindings()
    photo.page?.warnings = warnings
    report(press: number, .stored(photo))
  }

  @Test func `the first warning about a picture is shown for ten seconds`() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      report(.ready)
      report(press: 3, nil)
      report(stored: 3, .glare, .pageCrooked)
      await until(.fault, shows: PageWarning.glare.pattern)
      await until(.single, shows: PageWarning.glare.inversePattern)
      await until(.ready, shows: .on)
      for _ in 0..<9 { await second() }
      #expect(bench.world.indicatorStates[.fault]?.pattern == PageWarning.glare.pattern)
      await second()
      await until(.fault, shows: .off)
      await until(.single, shows: .on)
    }
  }

  @Test func `a warning gives way to faults, to the next press and to its picture`() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      report(.ready)
      report(stored: 3, .pageEmpty)
      await until(.fault, shows: PageWarning.pageEmpty.pattern)
      report(press: 4, .refused(.noFrameInTime))
      await until(.fault, shows: Self.refused)
      report(.notReadyMomentarily, [.storageFull])
      await until(.fault, shows: BlinkCode(3, 1).pattern)
      report(.ready)
      report(press: 5, nil)
      await until(.fault, shows: .off)
      // The picture of a press before the one that is under way says nothing of the page in place.
      report(press: 6, nil)
      report(stored: 5, .pageCovered)
      report(stored: 6, .pageCutOff)
      await until(.fault, shows: PageWarning.pageCutOff.pattern)
      report(stored: 7)
      await until(.fault, shows: .off)
      let shown = bench.world.indicatorHistory(.fault).map(\.pattern)
      #expect(!shown.contains(PageWarning.pageCovered.pattern))
    }
  }

  @Test func `a failing light does not stop the others and is logged once`() async throws {
    bench.world.setIndicatorFault(.inputOutput, role: .fault)
    try await bench.whileRunning(service) {
      for _ in 0..<3 {
        report(.ready)
        await until(.ready, shows: .on)
        report(.notReadyMomentarily, [.cameraAbsent])
        await until(.ready, shows: .off)
      }
      bench.world.setIndicatorFault(nil, role: .fault)
      report(.notReadyMomentarily, [.storageFull])
      await until(.fault, shows: BlinkCode(3, 1).pattern)
    }
    #expect(bench.log.count("a light cannot be set") == 1)
  }

  /// Moves the clock to the heartbeat's next second.
  private func second() async {
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: .seconds(1))
    await bench.clock.untilSleepers(1)
  }

  /// Waits until the lights that vouch for the service have been told to shine for three seconds
  /// from now.
  ///
  /// A beat that comes during a refresh is left to that refresh, and has not ended when the next
  /// one sleeps.
  private func untilRefreshed() async {
    let end = bench.clock.now.advanced(by: .seconds(3))
    for await snapshot in bench.world.snapshots()
    where [.ready, .power].allSatisfy({ snapshot.indicatorStates[$0]?.until == end }) { break }
  }

  @Test func `the ready light shines as long as the service answers`() async throws {
    try await bench.whileRunning(service) {
      report(.ready)
      await until(.ready, shows: .on)
      for _ in 0..<10 {
        await second()
        await untilRefreshed()
      }
      let alive = try #require(bench.world.indicatorStates[.ready])
      #expect(alive.level(at: bench.clock.now) == 1)
      #expect(bench.world.indicatorHistory(.ready).count { $0.pattern == .on } == 1, "no flicker")

      await life.end()
      for _ in 0..<4 { await second() }
      let dead = try #require(bench.world.indicatorStates[.ready])
      #expect(dead.level(at: bench.clock.now) == 0, "dark within three seconds")
      #expect(bench.world.indicatorStates[.power]?.level(at: bench.clock.now) == 0)

      await life.begin()
      await second()
      await untilRefreshed()
      #expect(bench.world.indicatorStates[.ready]?.level(at: bench.clock.now) == 1)
    }
  }

  /// A light that begins between two beats joins the next one, so that one wake-up serves both.
  @Test func `steady lights are refreshed together`() async throws {
    try await bench.whileRunning(service) {
      await until(.power, shows: .on)
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .milliseconds(400))
      report(.ready)
      await until(.ready, shows: .on)
      bench.clock.advance(by: .milliseconds(600))
      await untilRefreshed()
    }
  }

  /// Other work of the service is done at full seconds, so that one wake-up serves all.
  @Test func `steady lights are refreshed at full seconds`() async throws {
    bench.clock.advance(by: .milliseconds(300))
    try await bench.whileRunning(service) {
      report(.ready)
      await until(.ready, shows: .on)
      await until(.power, shows: .on)
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .milliseconds(700))
      await untilRefreshed()
    }
  }

  /// More changes come than the stream keeps, while a light is being set.
  @Test func `a state that a burst pushes out is still shown`() async throws {
    let slow = SlowIndicator(SimulatedIndicator(world: bench.world, role: .ready))
    let service = IndicatorService(
      indicators: [.ready: slow], monitor: bench.monitor, isAlive: { [life] in await life.isAlive },
      clock: bench.clock, logger: bench.log.logger)
    try await bench.whileRunning(service) {
      report(.ready)
      await until(.ready, shows: .on)
      slow.hold()
      report(.ready, capturesInFlight: 1)
      try await eventually { slow.isWaiting }
      report(.notReadyMomentarily, [.cameraStalled])
      for _ in 0..<1000 { await bench.monitor.note(lostEdges: 1, of: "pedal") }
      slow.letGo()
      await until(.ready, shows: .off)
    }
  }

  /// The heartbeat shows the present state, even if its change was not announced.
  @Test func `a heartbeat refreshes no stale signal`() async throws {
    report(.ready)
    bench.monitor.changes.finish()
    try await bench.whileRunning(service) {
      await until(.ready, shows: .on)
      report(.sessionNotRunning)
      await second()
      await until(.ready, shows: .off)
    }
  }

  @Test func `a fault light outlives a hanging service`() async throws {
    try await bench.whileRunning(service) {
      report(.notReadyMomentarily, [.cameraStalled])
      await until(.fault, shows: BlinkCode(2, 1).pattern)
      await life.end()
      for _ in 0..<30 { await second() }
      #expect(bench.world.indicatorStates[.fault]?.until == nil)
    }
  }
}

/// The service's life: whether it answers.
private actor Life {
  private(set) var isAlive = true

  func end() { isAlive = false }
  func begin() { isAlive = true }
}

/// A light that is set only when a test lets it.
private final class SlowIndicator: Indicator {
  private struct State {
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let light: SimulatedIndicator
  private let state = Mutex(State())

  init(_ light: SimulatedIndicator) { self.light = light }

  var name: String { light.name }
  var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  func hold() { state.withLock { $0.isHeld = true } }

  func letGo() {
    let waiting = state.withLock { state in
      state.isHeld = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func show(
    _ pattern: IndicatorPattern, for lifetime: Duration?
  ) async throws(DeviceError) {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.isHeld { state.waiting.append(continuation) }
        return state.isHeld
      }
      if !isHeld { continuation.resume() }
    }
    try await light.show(pattern, for: lifetime)
  }

  func release() async { await light.release() }
}
