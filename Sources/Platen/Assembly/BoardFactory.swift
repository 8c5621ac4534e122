import Devices
import LinuxDevices
import Logging
import SimulatedDevices

/// Makes the devices that a configuration names.
enum BoardFactory {
  /// A board, and the world behind it when it is simulated.
  struct Product {
    var board: Board
    var world: SimulatedWorld?
  }

  static func make(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock, logger: Logger
  ) -> Product {
    switch configuration.board {
    case .linux:
      Product(board: linux(configuration, clock: clock, logger: logger), world: nil)
    case .simulated: simulated(configuration, clock: clock)
    }
  }

  /// The simulated board has every device; the configuration says which ones are used.
  private static func simulated(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock
  ) -> Product {
    let world = SimulatedWorld(clock: clock, seed: configuration.simulationSeed)
    var board = SimulatedBoard.make(world: world)
    if configuration.shutter == nil { board.shutter = nil }
    if configuration.accelerometer == nil { board.accelerometer = nil }
    board.indicators = board.indicators.filter { configuration.indicators[$0.key] != nil }
    if configuration.thermal.zones.isEmpty { board.temperatureSensors = [] }
    return Product(board: board, world: world)
  }

  private static func linux(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock, logger: Logger
  ) -> Board {
    Board(
      cameras: LibcameraSystem(logger: logger),
      shutter: configuration.shutter.map { shutter in
        GPIOButtonLine(
          shutter.line.address, bias: shutter.bias.lineBias, isActiveLow: shutter.isActiveLow,
          clock: clock)
      },
      accelerometer: configuration.accelerometer.map { accelerometer in
        IIOAccelerometer(
          name: accelerometer.device, trigger: accelerometer.trigger,
          mountMatrix: accelerometer.mountMatrix, clock: clock)
      },
      indicators: indicators(configuration, clock: clock),
      temperatureSensors: configuration.thermal.zones.map { ThermalZone(name: $0) })
  }

  /// The lights alone, for turning them off after the service is gone.
  static func indicators(
    _ configuration: PlatenConfiguration, clock: any MonotonicClock
  ) -> [IndicatorRole: any Indicator] {
    configuration.indicators.mapValues { indicator in
      switch indicator {
      case .led(let name): ClassLEDIndicator(name: name, clock: clock)
      case .line(let line, let isActiveLow):
        GPIOLineIndicator(line.address, isActiveLow: isActiveLow, clock: clock)
      }
    }
  }
}

extension GPIOLineName {
  fileprivate var address: GPIOLineAddress {
    switch self {
    case .name(let name): .name(name)
    case .offset(let chip, let line): .offset(line, chip: chip)
    }
  }
}

extension ShutterSection.Bias {
  fileprivate var lineBias: GPIOLineBias {
    switch self {
    case .asIs: .asIs
    case .disabled: .disabled
    case .pullUp: .pullUp
    case .pullDown: .pullDown
    }
  }
}
