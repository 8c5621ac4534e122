import API
import Capture
import Devices
import RigConfiguration
import SimulatedDevices
import TestSupport
import Testing

@testable import Service

/// A light under test, beside the service that shows the real state.
@Suite(.timeLimit(.minutes(10))) struct LightTestTests {
  private let bench = ServiceBench()
  private let roles: [IndicatorRole] = [.ready, .fault]
  private let tester: RigTester

  init() throws {
    let configuration = try PlatenConfiguration.parse(
      "rig: { id: rig-1 }\nboard: simulated\nspool: { directory: /spool }\n", file: "platen.yaml")
    tester = RigTester(
      configuration: configuration, session: bench.session, monitor: bench.monitor,
      clock: bench.clock)
  }

  private var service: IndicatorService {
    IndicatorService(
      indicators: Dictionary(
        uniqueKeysWithValues: roles.map { ($0, SimulatedIndicator(world: bench.world, role: $0)) }),
      monitor: bench.monitor, isAlive: { true }, clock: bench.clock, logger: bench.log.logger,
      test: tester.lights)
  }

  private var names: [IndicatorRole: String] {
    Dictionary(uniqueKeysWithValues: roles.map { ($0, "rig:\($0.rawValue)") })
  }

  private func until(_ role: IndicatorRole, shows pattern: IndicatorPattern) async {
    for await snapshot in bench.world.snapshots()
    where snapshot.indicatorStates[role]?.pattern == pattern { break }
  }

  /// Begins a test and waits until its light is lit.
  private func begin(_ role: IndicatorRole) async -> Task<LightTestReport, any Error> {
    let task = Task { [tester, names] in
      try await tester.testLight(LightTestRequest(light: role.rawValue, seconds: 10), names: names)
    }
    await until(role, shows: LightTest.pattern)
    return task
  }

  /// Lets the rig refuse presses because of a full disk, which the fault light shows.
  private func whileFull(_ body: () async throws -> Void) async throws {
    bench.monitor.follow(bench.session.events)
    bench.session.events.send(
      .readiness(
        Readiness(state: .notReadyMomentarily, reasons: [.storageFull], capturesInFlight: 0)))
    let truth = InterruptionReason.storageFull.facts.code.pattern
    try await bench.whileRunning(service) {
      await until(.fault, shows: truth)
      try await body()
      await until(.fault, shows: truth)
      await until(.ready, shows: .off)
    }
  }

  @Test func `no state of the rig looks like a test`() {
    #expect(IndicatorLanguage.table.allSatisfy { $0.pattern != LightTest.pattern })
    let well = IndicatorLanguage.table.map(\.pattern)
    #expect(!well.isEmpty && LightTest.pattern.period == .milliseconds(400))
    #expect(!IndicatorLanguage.table.contains { $0.state == LightTest.state })
  }

  @Test func `a tested light is lit alone and the real state returns at the end`() async throws {
    try await whileFull {
      let task = await begin(.ready)
      await until(.fault, shows: .off)
      let until = bench.world.indicatorStates[.ready]?.until
      #expect(until == bench.clock.now.advanced(by: .seconds(10)), "dark then whatever happens")
      try await eventually {
        await bench.monitor.snapshot.lights[.ready]?.pattern == LightTest.pattern
      }
      let light = await bench.monitor.snapshot.lights[.ready]
      let shown = LightReport(role: .ready, name: "a", light: light)
      #expect(shown.state == "lightTest" && shown.shown == LightTestReport.pattern)
      // The heartbeat and the test sleep.
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: .seconds(10))
      let report = try await task.value
      #expect(report.problem == nil && report.seconds == 10 && report.name == "rig:ready")
    }
  }

  @Test func `all lights blink while the rig is identified`() async throws {
    try await whileFull {
      let task = Task { [tester, roles] in
        try await tester.identify(for: .seconds(5), lights: Set(roles))
      }
      for role in roles { await until(role, shows: LightTest.pattern) }
      let other = Task { [tester, names] in
        try await tester.testLight(LightTestRequest(light: "ready"), names: names)
      }
      let refused = await other.result
      #expect(throws: APIError.self, "the lights are in use") { try refused.get() }
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: .seconds(5))
      let seconds = try await task.value
      #expect(seconds == 5)
    }
    let dark = Task { [tester] in try await tester.identify(for: .seconds(5), lights: []) }
    let refused = await dark.result
    #expect(throws: APIError.self, "there are no lights") { try refused.get() }
  }

  @Test func `a client that leaves ends the test at once`() async throws {
    try await whileFull {
      let task = await begin(.ready)
      task.cancel()
      let result = await task.result
      #expect(throws: APIError.self) { try result.get() }
      #expect(tester.lights.shining(at: bench.clock.now) == nil)
    }
  }

  @Test func `a light that cannot be set fails the test`() async throws {
    bench.world.setIndicatorFault(.inputOutput, role: .ready)
    try await bench.whileRunning(service) {
      let task = Task { [tester, names] in
        try await tester.testLight(LightTestRequest(light: "ready", seconds: 1), names: names)
      }
      try await eventually {
        await bench.monitor.snapshot.lights[.ready]?.pattern == LightTest.pattern
      }
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: .seconds(1))
      let report = try await task.value
      #expect(report.problem?.code == "lightFailing")
    }
  }

  @Test func `an armed power off is shown during a test`() async throws {
    try await whileFull {
      let task = await begin(.fault)
      await bench.monitor.note(powerOffArmedUntil: bench.clock.now)
      for role in roles { await until(role, shows: IndicatorLanguage.armed) }
      await bench.monitor.note(powerOffArmedUntil: nil)
      await until(.fault, shows: LightTest.pattern)
      task.cancel()
      _ = await task.result
    }
  }
}
