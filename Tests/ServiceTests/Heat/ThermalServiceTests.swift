import API
import Capture
import Devices
import RigConfiguration
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ThermalServiceTests {
  private let bench = ServiceBench()
  private let ending = SystemEnding()
  private var section = ThermalSection()

  init() {
    section.governor.hysteresis = 2
  }

  private func service(
    _ others: [any TemperatureSensor] = [], undervoltage: PowerSection.UndervoltageEffect = .warn,
    mayEnd: Bool = true
  ) -> ThermalService {
    ThermalService(
      sensors: [SimulatedTemperatureSensor(world: bench.world)] + others,
      throttle: SimulatedThrottleSensor(world: bench.world), section: section,
      undervoltage: undervoltage, session: bench.session, monitor: bench.monitor,
      ending: mayEnd ? ending : nil, clock: bench.clock, logger: bench.log.logger)
  }

  /// Changes the world, lets the service read once, and waits until the service sleeps.
  private func reading(after seconds: Int = 1, _ change: (SimulatedWorld) -> Void) async {
    await pass(seconds - 1)
    await rest()
    change(bench.world)
    await pass(1)
  }

  /// Waits until the service sleeps until the next second, and not for a sensor.
  private func rest() async {
    await bench.clock.untilNextDeadline(is: bench.clock.now.advanced(by: section.interval))
  }

  private func pass(_ seconds: Int) async {
    for _ in 0..<seconds {
      await rest()
      bench.clock.advance(by: section.interval)
    }
    await rest()
  }

  private func heat(to celsius: Double, after seconds: Int = 1) async {
    await reading(after: seconds) { $0.heat(to: celsius) }
  }

  @Test func `heat interrupts the session and cooling ends it`() async throws {
    let changes = bench.monitor.changes.listen()
    let events = bench.session.events.listen()
    try await bench.whileRunning(service()) {
      await heat(to: 71)
      #expect(await bench.monitor.snapshot.heat.state == .serious)
      #expect(bench.session.readiness.reasons == [], "serious still takes pictures")
      await heat(to: 81)
      #expect(await bench.monitor.snapshot.heat.state == .critical)
      await bench.untilInterrupted(by: [.thermalPressure], events)
      await heat(to: 77, after: 30)
      #expect(await bench.monitor.snapshot.heat.state == .critical, "within the dwell")
      await heat(to: 78.5, after: 60)
      #expect(await bench.monitor.snapshot.heat.state == .serious, "the dwell is over")
      await bench.untilInterrupted(by: [], events)
      await heat(to: 40, after: 60)
    }
    let report = HistoryReport(await bench.monitor.thermalHistory)
    #expect(report.samples.compactMap { $0.celsius["cpu-thermal"] }.max() == 81)
    #expect(report.samples.contains { $0.state == "critical" })
    let last = await bench.monitor.snapshot.heat
    #expect(last.state == .nominal)
    #expect(last.constraints == .none)
    #expect(last.temperatures.map(\.zone) == ["cpu-thermal"])
    #expect(last.temperatures.map(\.celsius) == [40])
    #expect(last.temperatures.first?.limits == section.governor.limits)
    bench.monitor.changes.finish()
    var seen: [RigMonitor.Heat] = []
    for await case .thermal(let heat) in changes { seen.append(heat) }
    #expect(seen.dropFirst().map(\.state) == [.serious, .critical, .serious, .nominal])
    #expect(seen.dropFirst().map(\.hottest?.celsius) == [71, 81, 77, 40])
    #expect(bench.log.count("thermal state changed") == 4)
    #expect(bench.log.count("warning: thermal state changed") == 3)
  }

  @Test func `the hottest readable sensor counts`() async throws {
    let events = bench.session.events.listen()
    try await bench.whileRunning(service([BrokenSensor()])) {
      await heat(to: 85)
      await bench.untilInterrupted(by: [.thermalPressure], events)
      let temperatures = await bench.monitor.snapshot.heat.temperatures
      #expect(temperatures.map(\.zone) == ["cpu-thermal", "broken"])
      #expect(temperatures.map(\.celsius) == [85, nil])
      await pass(10)
    }
    #expect(bench.log.count("a temperature cannot be read") == 1, "logged once")
  }

  @Test func `a hot rig whose sensor fails stays hot`() async throws {
    let events = bench.session.events.listen()
    try await bench.whileRunning(service()) {
      await heat(to: 85)
      await bench.untilInterrupted(by: [.thermalPressure], events)
      bench.world.setTemperatureFault(.inputOutput)
      await heat(to: 20, after: 100)
      #expect(bench.session.readiness.reasons == [.thermalPressure])
      #expect(await bench.monitor.snapshot.heat.state == .critical)
      #expect(await bench.monitor.snapshot.heat.temperatures.map(\.celsius) == [nil])
      bench.world.setTemperatureFault(nil)
      await heat(to: 20)
      await bench.untilInterrupted(by: [], events)
      bench.world.setTemperatureFault(.inputOutput)
      await heat(to: 20)
    }
    #expect(bench.log.count("a temperature cannot be read") == 2, "once for each fault")
  }

  @Test func `the firmware raises the state and is shown`() async throws {
    try await bench.whileRunning(service()) {
      await reading { $0.throttle([.throttled, .softTemperatureLimit]) }
      let heat = await bench.monitor.snapshot.heat
      #expect(heat.state == .serious)
      #expect(heat.throttle?.now.elements == [.throttled, .softTemperatureLimit])
      await reading(after: 61) { $0.throttle([]) }
      #expect(await bench.monitor.snapshot.heat.state == .nominal)
      #expect(await bench.monitor.snapshot.heat.throttle?.sinceBoot.elements.count == 2)
    }
    #expect(bench.log.count("throttled, softTemperatureLimit") == 1)
  }

  @Test func `a hot zone that fails stays hot while another zone is read`() async throws {
    try await bench.whileRunning(service([SteadySensor()])) {
      await heat(to: 85)
      #expect(await bench.monitor.snapshot.heat.state == .critical)
      bench.world.setTemperatureFault(.inputOutput)
      await reading(after: 100) { _ in }
      #expect(await bench.monitor.snapshot.heat.temperatures.map(\.celsius) == [nil, 40])
      #expect(await bench.monitor.snapshot.heat.state == .critical)
      bench.world.setTemperatureFault(nil)
      await heat(to: 20)
      #expect(await bench.monitor.snapshot.heat.state == .nominal)
    }
  }

  @Test func `unreadable flags keep their last demand`() async throws {
    try await bench.whileRunning(service()) {
      await reading { $0.throttle(.throttled) }
      #expect(await bench.monitor.snapshot.heat.state == .serious)
      await reading { $0.setThrottleFault(.inputOutput) }
      await reading(after: 100) { $0.throttle([]) }
      #expect(await bench.monitor.snapshot.heat.throttle == nil)
      #expect(await bench.monitor.snapshot.heat.state == .serious)
      await reading { $0.setThrottleFault(nil) }
      #expect(await bench.monitor.snapshot.heat.state == .nominal)
    }
  }

  @Test func `missing flags demand no state`() async throws {
    try await bench.whileRunning(service()) {
      await reading { $0.throttle(.throttled) }
      #expect(await bench.monitor.snapshot.heat.state == .serious)
      await reading { $0.setThrottleFault(.absent) }
      await reading(after: 61) { _ in }
      #expect(await bench.monitor.snapshot.heat.state == .nominal)
    }
  }

  @Test func `unreadable flags are logged once and missing flags never`() async throws {
    try await bench.whileRunning(service()) {
      await reading { $0.setThrottleFault(.inputOutput) }
      await reading(after: 5) { _ in }
      #expect(await bench.monitor.snapshot.heat.throttle == nil)
      #expect(bench.log.count("the throttle flags cannot be read") == 1)
      await reading { $0.setThrottleFault(.absent) }
      await reading(after: 5) { $0.setThrottleFault(nil) }
      #expect(await bench.monitor.snapshot.heat.throttle == nil, "left alone for a minute")
      await reading(after: 60) { _ in }
      #expect(await bench.monitor.snapshot.heat.throttle == ThrottleStatus())
    }
    #expect(bench.log.count("the throttle flags cannot be read") == 1)
  }

  @Test(arguments: PowerSection.UndervoltageEffect.allCases)
  func `undervoltage begins with the second reading and ends`(
    _ effect: PowerSection.UndervoltageEffect
  ) async throws {
    func shown() async -> [InterruptionReason] {
      let readiness = bench.session.readiness
      #expect((effect == .warn ? readiness.reasons : readiness.warnings) == [])
      return effect == .warn ? readiness.warnings : readiness.reasons
    }
    let events = bench.session.events.listen()
    try await bench.whileRunning(service(undervoltage: effect)) {
      await reading { $0.throttle(.undervoltage) }
      #expect(await shown() == [], "one reading is a flicker")
      await reading { _ in }
      #expect(await shown() == [.undervoltage])
      #expect(await bench.monitor.snapshot.heat.isUndervoltage)
      await reading { $0.throttle([]) }
      await reading(after: 8) { _ in }
      #expect(await shown() == [.undervoltage])
      await reading { _ in }
      #expect(await shown() == [])
      #expect(await !bench.monitor.snapshot.heat.isUndervoltage)
    }
    let log = await bench.session.interruptionLog
    #expect(log.lasting == [])
    let ended = try #require(log.ended.last { $0.reason == .undervoltage })
    #expect(ended.refuses == (effect == .refuse))
    #expect(ended.endedAt.map { ended.beganAt.duration(to: $0) } == .seconds(10))
    var told: [Interruption] = []
    for await case .interruption(let interruption) in events {
      told.append(interruption)
      if interruption.endedAt != nil { break }
    }
    #expect(told.map(\.reason) == [.undervoltage, .undervoltage])
    #expect(told.map(\.refuses) == [ended.refuses, ended.refuses])
  }

  @Test func `the hard limit ends the service and powers the rig off`() async throws {
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service()) {
      await heat(to: 91)
      await reading(after: 9) { _ in }
      #expect(ending.request == nil, "it may be a moment only")
      await reading { _ in }
      #expect(ending.request == .powerOff)
      #expect(await bench.monitor.snapshot.heat.isShuttingDown)
      await reading(after: 20) { _ in }
    }
    #expect(bench.log.count("critical: too hot to go on, switching off") == 1)
    bench.monitor.changes.finish()
    var seen: [Bool] = []
    for await case .thermal(let heat) in changes { seen.append(heat.isShuttingDown) }
    #expect(seen.last == true && seen.filter { $0 }.count == 1, "\(seen)")
  }

  @Test func `a rig without power control goes on`() async throws {
    try await bench.whileRunning(service(mayEnd: false)) {
      await heat(to: 120)
      await reading(after: 60) { _ in }
      let last = await bench.monitor.snapshot.heat
      #expect(last.state == .critical)
      #expect(!last.isShuttingDown)
      #expect(last.temperatures.first?.limits?.shutdown == nil, "and does not claim that it ends")
    }
  }

  /// Zones and a firmware that never answer neither keep a hot rig on nor pile up questions.
  @Test func `hanging sensors do not keep a hot rig on`() async throws {
    let zone = HangingSensor("hanging")
    let processor = HangingSensor("cpu-thermal")
    processor.answer(40)
    let service = ThermalService(
      sensors: [zone, processor], throttle: zone,
      section: section, undervoltage: .warn, session: bench.session, monitor: bench.monitor,
      ending: ending, clock: bench.clock, logger: bench.log.logger)
    try await bench.whileRunning(service) {
      try await eventually { zone.hangingCount >= 2 && processor.answeredCount >= 1 }
      try await eventually { bench.clock.sleeperCount >= 1 }
      #expect(bench.clock.sleeperCount == 1, "all devices share one sleep")
      #expect(bench.clock.nextDeadline == bench.clock.now.advanced(by: .seconds(2)))
      bench.clock.advance(by: .seconds(2))
      // On a busy machine the processor's first answer may have come too late.
      try await eventually {
        await reading { _ in processor.answer(85) }
        return await bench.monitor.snapshot.heat.temperatures.map(\.celsius) == [nil, 85]
      }
      #expect(await bench.monitor.snapshot.heat.state == .critical)
      await reading { _ in processor.answer(91) }
      await reading(after: 10) { _ in }
      #expect(ending.request == .powerOff)
      #expect(zone.readCount == 2, "what has not answered is not asked again")
      let faults = bench.log.lines.filter {
        $0.metadata["error"]?.hasPrefix("\"hanging\" does not answer") == true
      }
      #expect(faults.count == 2, "logged once each")
      zone.answer(30)
      // The answers to old questions have come, and are thrown away.
      try await eventually { zone.answeredCount >= 2 }
      await reading(after: 2) { _ in }
      try await eventually {
        await reading { _ in }
        let heat = await bench.monitor.snapshot.heat
        return heat.temperatures.map(\.celsius) == [30, 91] && heat.throttle == ThrottleStatus()
      }
    }
  }

  /// A camera that hangs while its frame rate is set does not keep a hot rig on.
  @Test func `a hanging camera does not keep a hot rig on`() async throws {
    let camera = HangingCamera(in: .setFrameRate)
    let bench = ServiceBench(cameras: camera)
    let events = bench.session.events.listen()
    let running = Task { try await bench.session.run() }
    for await case .session(let status) in events where status.stream != nil { break }
    let service = ThermalService(
      sensors: [SimulatedTemperatureSensor(world: bench.world)], throttle: nil, section: section,
      undervoltage: .warn, session: bench.session, monitor: bench.monitor, ending: ending,
      clock: bench.clock, logger: bench.log.logger)
    try await bench.whileRunning(service) {
      bench.world.heat(to: 95)
      // The first reading may have come before the heat.
      try await eventually {
        bench.clock.advance(by: .milliseconds(100))
        return camera.isHanging
      }
      try await eventually {
        bench.clock.advance(by: .milliseconds(100))
        return ending.request != nil
      }
      #expect(camera.isHanging)
      camera.release()
    }
    running.cancel()
    _ = await running.result
    #expect(ending.request == .powerOff)
  }
}

/// A sensor that can never be read.
private struct BrokenSensor: TemperatureSensor {
  let name = "broken"

  func temperature() async throws(DeviceError) -> Double {
    throw DeviceError(.inputOutput, device: name, problem: "cannot be read")
  }
}

/// A sensor of a zone that stays cool.
private struct SteadySensor: TemperatureSensor {
  let name = "steady"

  func temperature() async throws(DeviceError) -> Double { 40 }
}

/// A zone and a firmware that answer only when told.
private final class HangingSensor: TemperatureSensor, ThrottleSensor {
  private struct State {
    var celsius: Double?
    var readCount = 0
    var answeredCount = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let name: String
  private let state = Mutex(State())

  init(_ name: String) { self.name = name }

  var readCount: Int { state.withLock { $0.readCount } }
  var hangingCount: Int { state.withLock { $0.waiting.count } }

  /// The number of calls that have gone on.
  var answeredCount: Int { state.withLock { $0.answeredCount } }

  /// Answers all waiting and all later calls.
  func answer(_ celsius: Double) {
    let waiting = state.withLock { state in
      state.celsius = celsius
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func hang() async -> Double {
    await withCheckedContinuation { continuation in
      let isAnswered = state.withLock { state in
        state.readCount += 1
        if state.celsius == nil { state.waiting.append(continuation) }
        return state.celsius != nil
      }
      if isAnswered { continuation.resume() }
    }
    return state.withLock { state in
      state.answeredCount += 1
      return state.celsius ?? .nan
    }
  }

  func temperature() async throws(DeviceError) -> Double { await hang() }

  func status() async throws(DeviceError) -> ThrottleStatus {
    _ = await hang()
    return ThrottleStatus()
  }
}
