public import Devices

/// The board that is made of the devices of a simulated world.
public enum SimulatedBoard {
  /// Makes the board of a world: its cameras, button, accelerometer, three lights and thermal zone.
  public static func make(world: SimulatedWorld) -> Board {
    let indicators = IndicatorRole.allCases.map { role in
      (role, SimulatedIndicator(world: world, role: role) as any Indicator)
    }
    return Board(
      cameras: SimulatedCameraSystem(world: world),
      shutter: SimulatedButtonLine(world: world),
      accelerometer: SimulatedAccelerometer(world: world),
      indicators: Dictionary(uniqueKeysWithValues: indicators),
      temperatureSensors: [SimulatedTemperatureSensor(world: world)])
  }
}
