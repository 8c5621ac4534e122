import Capture
import Devices
import SimulatedDevices
import Testing

@testable import Platen

@Suite(.timeLimit(.minutes(1))) struct ThermalServiceTests {
  private let bench = ServiceBench()

  private func service(_ others: [any TemperatureSensor] = []) -> ThermalService {
    ThermalService(
      sensors: [SimulatedTemperatureSensor(world: bench.world)] + others,
      limits: ThermalGovernor.Limits(fair: 60, serious: 70, critical: 80, hysteresis: 2),
      interval: .seconds(1), session: bench.session, monitor: bench.monitor, clock: bench.clock,
      logger: bench.log.logger)
  }

  /// Heats the rig, lets the service read once, and waits until it is at rest.
  private func heat(to celsius: Double) async {
    await bench.clock.untilSleepers(1)
    bench.world.heat(to: celsius)
    bench.clock.advance(by: .seconds(1))
    await bench.clock.untilSleepers(1)
  }

  @Test func heatInterruptsTheSessionAndCoolingEndsIt() async throws {
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service()) {
      await heat(to: 71)
      #expect(await bench.monitor.snapshot.thermal == .serious)
      #expect(await bench.session.readiness.reasons == [], "serious still takes pictures")
      await heat(to: 81)
      #expect(await bench.monitor.snapshot.thermal == .critical)
      #expect(await bench.session.readiness.reasons == [.thermalPressure])
      await heat(to: 78.5)
      #expect(await bench.monitor.snapshot.thermal == .critical, "within the hysteresis")
      await heat(to: 77)
      #expect(await bench.session.readiness.reasons == [])
      await heat(to: 40)
    }
    #expect(await bench.monitor.snapshot.thermal == .nominal)
    #expect(
      await bench.monitor.snapshot.temperatures
        == [RigMonitor.Temperature(zone: "cpu-thermal", celsius: 40)])
    bench.monitor.changes.finish()
    var states: [ThermalState] = []
    for await case .thermal(let state, _) in changes { states.append(state) }
    #expect(states == [.serious, .critical, .serious, .nominal])
    #expect(bench.log.count("thermal state changed") == 4)
    #expect(bench.log.count("warning: thermal state changed") == 3)
  }

  @Test func theHottestOfTheSensorsThatCanBeReadCounts() async throws {
    let broken = BrokenSensor()
    try await bench.whileRunning(service([broken])) {
      await heat(to: 85)
      #expect(await bench.session.readiness.reasons == [.thermalPressure])
      #expect(await bench.monitor.snapshot.temperatures.map(\.zone) == ["cpu-thermal"])
      await bench.clock.run(for: .seconds(10))
      await bench.clock.untilSleepers(1)
    }
    #expect(bench.log.count("a temperature cannot be read") == 1, "logged once")
  }

  @Test func aHotRigThatCannotBeReadStaysHot() async throws {
    try await bench.whileRunning(service()) {
      await heat(to: 85)
      bench.world.setTemperatureFault(.inputOutput)
      await heat(to: 20)
      #expect(await bench.session.readiness.reasons == [.thermalPressure])
      #expect(await bench.monitor.snapshot.thermal == .critical)
      #expect(await bench.monitor.snapshot.temperatures == [])
      bench.world.setTemperatureFault(nil)
      await heat(to: 20)
      #expect(await bench.session.readiness.reasons == [])
      bench.world.setTemperatureFault(.inputOutput)
      await heat(to: 20)
    }
    #expect(bench.log.count("a temperature cannot be read") == 2, "once for each fault")
  }
}

/// A sensor that can never be read.
private struct BrokenSensor: TemperatureSensor {
  let name = "broken"

  func temperature() async throws(DeviceError) -> Double {
    throw DeviceError(.inputOutput, device: name, problem: "cannot be read")
  }

  func tripPoints() async throws(DeviceError) -> [TripPoint] { [] }
}
