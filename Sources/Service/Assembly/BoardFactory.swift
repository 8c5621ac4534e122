import CameraHost
import Capture
import Devices
import LinuxDevices
import Logging
import RigConfiguration
import SimulatedDevices

/// A maker of the devices that a configuration names.
enum BoardFactory {
  /// A board, and the simulated world behind a simulated one.
  struct Product {
    var board: Board
    var world: SimulatedWorld?
  }

  /// Makes the board; a simulated board uses the given world or a new one.
  ///
  /// - Parameter prepared: the process for the cameras, which is ended when no other one is wanted.
  static func make(
    _ configuration: PlatenConfiguration, world: SimulatedWorld? = nil,
    prepared: PreparedProcess? = nil, clock: any MonotonicClock, logger: Logger
  ) -> Product {
    switch configuration.board {
    case .linux:
      return Product(
        board: linux(configuration, prepared: prepared, clock: clock, logger: logger), world: nil)
    case .simulated:
      prepared?.end()
      return simulated(configuration, world ?? self.world(configuration, clock: clock))
    }
  }

  /// Makes the world of a simulated board.
  private static func world(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock
  ) -> SimulatedWorld {
    let simulation = configuration.simulation
    let world = SimulatedWorld(
      clock: clock, cameraModels: cameraModels(configuration), seed: simulation.seed)
    if let scene = simulation.scene {
      world.expose(for: .milliseconds(10), gain: simulation.gain)
      world.show(LinearScene(scene, depth: simulation.depth))
    }
    return world
  }

  /// Makes the simulated board, which has the devices that the configuration uses.
  private static func simulated(
    _ configuration: PlatenConfiguration, _ world: SimulatedWorld
  ) -> Product {
    var board = SimulatedBoard.make(
      world: world, buttons: configuration.buttons.map(\.name))
    if configuration.accelerometer == nil { board.accelerometer = nil }
    board.indicators = board.indicators.filter { configuration.indicators[$0.key] != nil }
    if configuration.lamp == nil { board.lamp = nil }
    for lamp in configuration.lamps {
      board.lamps[lamp.name] = SimulatedLamp(world: world, name: lamp.name)
    }
    if configuration.thermal.zones.isEmpty { board.temperatureSensors = [] }
    if configuration.power.method == .none { board.power = nil }
    return Product(board: board, world: world)
  }

  /// Returns a camera for each role, with the ID or the position that the configuration selects.
  private static func cameraModels(
    _ configuration: PlatenConfiguration
  ) -> [SimulatedCameraModel] {
    var model = SimulatedCameraModel()
    model.capabilities.rawFormat?.mosaic = configuration.simulation.mosaic
    guard let cameras = configuration.cameras else { return [model] }
    return cameras.entries.map { [model] entry in
      var model = model
      switch entry.choice {
      case .id(let id): model.id = id
      case .position(let position):
        model.id = "/base/simulated/\(entry.role)"
        model.position = position
      case .first: break
      }
      return model
    }
  }

  private static func linux(
    _ configuration: PlatenConfiguration, prepared: PreparedProcess?, clock: any MonotonicClock,
    logger: Logger
  ) -> Board {
    Board(
      cameras: cameras(configuration, prepared: prepared, logger: logger),
      buttons: Dictionary(
        configuration.buttons.map { button in
          let line = GPIOButtonLine(
            button.line, bias: button.bias, isActiveLow: button.isActiveLow, clock: clock)
          return (button.name, line)
        }, uniquingKeysWith: { first, _ in first }),
      accelerometer: configuration.accelerometer.map { accelerometer in
        IIOAccelerometer(
          name: accelerometer.device, pacing: accelerometer.pacing,
          mountMatrix: accelerometer.mountMatrix, clock: clock)
      },
      indicators: indicators(configuration, clock: clock, logger: logger),
      lamp: lamp(configuration), lamps: lamps(configuration),
      temperatureSensors: configuration.thermal.zones.map { ThermalZone(name: $0) },
      throttle: FirmwareThrottleSensor(
        flags: configuration.power.throttled,
        alarm: configuration.power.undervoltageAlarm),
      power: power(configuration.power))
  }

  private static func power(_ section: PowerSection) -> (any SystemPower)? {
    switch section.method {
    case .none: nil
    case .logind: LogindPower()
    case .command: CommandPower(powerOff: section.powerOff, restart: section.restart)
    }
  }

  /// Returns the lamp alone, to turn it off after the service has ended.
  static func lamp(_ configuration: PlatenConfiguration) -> (any Lamp)? {
    configuration.lamp.map { lamp($0.light) }
  }

  /// Returns the lamps of brackets alone, to turn them off after the service has ended.
  static func lamps(_ configuration: PlatenConfiguration) -> [String: any Lamp] {
    Dictionary(
      configuration.lamps.map { ($0.name, lamp($0.light)) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private static func lamp(_ light: IndicatorSection) -> any Lamp {
    switch light {
    case .led(let name): ClassLEDLamp(name: name)
    case .line(let line, let isActiveLow): GPIOLineLamp(line, isActiveLow: isActiveLow)
    }
  }

  private static func cameras(
    _ configuration: PlatenConfiguration, prepared: PreparedProcess?, logger: Logger
  ) -> any CameraSystem {
    switch configuration.camera.process ?? .separate {
    case .separate:
      return CameraProcess.cameras(prepared: prepared, logger: logger)
    case .service:
      prepared?.end()
      return LibcameraSystem(logger: logger)
    }
  }

  /// Returns the lights alone, to turn them off after the service has ended.
  static func indicators(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock, logger: Logger? = nil
  ) -> [IndicatorRole: any Indicator] {
    configuration.indicators.mapValues { indicator in
      switch indicator {
      case .led(let name): ClassLEDIndicator(name: name, clock: clock, logger: logger)
      case .line(let line, let isActiveLow):
        GPIOLineIndicator(line, isActiveLow: isActiveLow, clock: clock)
      }
    }
  }
}
