package import Devices

/// The board with the devices of a simulated world.
package enum SimulatedBoard {
  /// Makes the board of a world.
  ///
  /// The board has cameras, buttons, an accelerometer, lights, a lamp, a thermal zone, firmware and
  /// power.
  ///
  /// - Parameters:
  ///   - world: the world.
  ///   - buttons: the names of the wired buttons.
  package static func make(
    world: SimulatedWorld, buttons: [String] = [SimulatedWorld.shutter]
  ) -> Board {
    let indicators = IndicatorRole.allCases.map { role in
      (role, SimulatedIndicator(world: world, role: role) as any Indicator)
    }
    return Board(
      cameras: SimulatedCameraSystem(world: world),
      buttons: Dictionary(
        buttons.map { ($0, SimulatedButtonLine(world: world, button: $0)) },
        uniquingKeysWith: { first, _ in first }),
      accelerometer: SimulatedAccelerometer(world: world),
      indicators: Dictionary(uniqueKeysWithValues: indicators),
      lamp: SimulatedLamp(world: world),
      temperatureSensors: [SimulatedTemperatureSensor(world: world)],
      throttle: SimulatedThrottleSensor(world: world), power: SimulatedPower(world: world))
  }
}
