package import Devices

/// The thermal zone of a simulated world.
package struct SimulatedTemperatureSensor: TemperatureSensor {
  /// The zone's name.
  package let name: String
  private let world: SimulatedWorld

  package init(world: SimulatedWorld, name: String = "cpu-thermal") {
    self.world = world
    self.name = name
  }

  /// Reads the temperature in degrees Celsius, in steps of a thousandth as in the kernel.
  ///
  /// - Throws: `DeviceError` for the world's ``TemperatureFault``.
  package func temperature() async throws(DeviceError) -> Double {
    switch world.read({ $0.temperatureFault }) {
    case nil: return (world.temperature * 1000).rounded() / 1000
    case .absent:
      throw DeviceError(
        .absent, device: name, problem: "cannot be read", cause: "No such file or directory")
    case .inputOutput:
      throw DeviceError(
        .inputOutput, device: name, problem: "cannot be read", cause: "Input/output error")
    case .implausible:
      throw DeviceError(
        .implausible, device: name, problem: "reads -274.0 °C, which cannot be")
    }
  }
}
