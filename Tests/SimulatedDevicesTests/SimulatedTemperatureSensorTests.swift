import Devices
import SimulatedDevices
import TestSupport
import Testing

@Suite struct SimulatedTemperatureSensorTests {
  private let clock = ManualClock()
  private let world: SimulatedWorld
  private let sensor: SimulatedTemperatureSensor

  init() {
    world = SimulatedWorld(clock: clock)
    sensor = SimulatedTemperatureSensor(world: world)
  }

  @Test func `the sensor reads the world's temperature`() async throws {
    #expect(try await sensor.temperature() == 45)
    world.heat(to: 86.5)
    #expect(try await sensor.temperature() == 86.5)
  }

  @Test func `the temperature rises evenly`() async throws {
    world.heat(to: 85, over: .seconds(40))
    var readings: [Double] = []
    for _ in 0..<5 {
      readings.append(try await sensor.temperature())
      clock.advance(by: .seconds(10))
    }
    #expect(readings == [45, 55, 65, 75, 85])
    #expect(try await sensor.temperature() == 85)
    // A new course begins at the present temperature.
    world.heat(to: 45, over: .seconds(10))
    clock.advance(by: .seconds(5))
    #expect(try await sensor.temperature() == 65)
  }

  @Test(arguments: TemperatureFault.allCases) func `faults of the sensor are thrown`(
    fault: TemperatureFault
  ) async throws {
    world.setTemperatureFault(fault)
    let error = await #expect(throws: DeviceError.self) { try await sensor.temperature() }
    #expect(error?.code.rawValue == fault.rawValue)
    world.setTemperatureFault(nil)
    #expect(try await sensor.temperature() == 45)
  }
}
