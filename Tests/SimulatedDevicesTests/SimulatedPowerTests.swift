import Devices
import SimulatedDevices
import TestSupport
import Testing

@Suite struct SimulatedPowerTests {
  private let world = SimulatedWorld(clock: ManualClock())

  @Test func `requests are recorded unless they are denied`() async throws {
    let power = SimulatedPower(world: world)
    try await power.restart()
    world.denyPower(true)
    let error = await #expect(throws: DeviceError.self) { try await power.powerOff() }
    #expect(error?.code == .permissionDenied)
    #expect(world.powerRequests == [.restart])
    world.denyPower(false)
    try await power.powerOff()
    #expect(world.powerRequests == [.restart, .powerOff])
  }

  @Test func `the firmware remembers earlier flags`() async throws {
    let sensor = SimulatedThrottleSensor(world: world)
    #expect(try await sensor.status() == ThrottleStatus())
    world.throttle([.undervoltage, .throttled])
    world.throttle(.frequencyCapped)
    let status = try await sensor.status()
    #expect(status.now == .frequencyCapped)
    #expect(status.sinceBoot.elements == [.undervoltage, .frequencyCapped, .throttled])
  }

  @Test(arguments: ThrottleFault.allCases)
  func `faults of the sensor are thrown`(_ fault: ThrottleFault) async throws {
    world.setThrottleFault(fault)
    let sensor = SimulatedThrottleSensor(world: world)
    let error = await #expect(throws: DeviceError.self) { try await sensor.status() }
    #expect(error?.code.rawValue == fault.rawValue)
    world.setThrottleFault(nil)
    #expect(try await sensor.status().now == [])
  }
}
