public import Devices

/// The board that is made of the devices of a simulated world.
public enum SimulatedBoard {
  /// Makes the board of a world: its cameras, buttons, accelerometer, lights, lamp,
  /// thermal zone, firmware and power.
  ///
  /// - Parameters:
  ///   - world: the world.
  ///   - buttons: the names of the buttons that are wired.
  public static func make(
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
