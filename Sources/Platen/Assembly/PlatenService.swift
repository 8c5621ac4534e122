import API
import CameraHost
import Capture
import Devices
import Foundation
public import Logging
import ServiceLifecycle
package import SimulatedDevices
import Spool
import UnixSignals

/// The whole service, assembled from a configuration.
public enum PlatenService {
  /// How long a clean end may take: pictures in flight are stored, transfers are ended.
  ///
  /// A camera that hangs when it is stopped is given up before.
  public static let maximumShutdown = HostDeadlines().change + .seconds(5)
  /// How long the whole service takes to end at most, its cameras' process last;
  /// `TimeoutStopSec=` is longer.
  static let longestEnd = maximumShutdown + HostDeadlines().longestShutDown

  /// Runs until SIGTERM or SIGINT, until a part fails, or until the rig is too hot to go on.
  ///
  /// On a signal the shutter is given back first; then the pictures in flight are stored, the
  /// camera is released, transfers end, and the lights go out.
  ///
  /// In the last case the machine is switched off after all that.
  ///
  /// - Throws: ``Devices/DeviceError``, `SpoolError` or another part's error, when the service
  ///   cannot start or has to be started anew, or when the machine cannot be switched off.
  public static func run(
    _ configuration: PlatenConfiguration, log: LogMemory, logger: Logger
  ) async throws {
    try await run(configuration, world: nil, log: log, logger: logger)
  }

  /// Runs likewise; a simulated board in a world that the caller sees, in the system's time.
  package static func run(
    _ configuration: PlatenConfiguration, world: SimulatedWorld?, log: LogMemory = LogMemory(),
    logger: Logger
  ) async throws {
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(configuration, world: world, clock: clock, logger: logger)
    let board = product.board
    let ending = SystemEnding()
    async let _ = endAnyway(ending, power: board.power, clock: clock, logger: logger)
    try await endingTheMachine(ending, power: board.power, logger: logger) {
      let spool = try await openSpool(configuration, board, ending, clock: clock, logger: logger)
      let services = try await ServiceAssembly(
        configuration, product: product, spool: spool, ending: ending, clock: clock, log: log,
        logger: logger
      ).services()
      try await run(services, cameras: board.cameras, ending: ending, logger: logger)
    }
  }

  /// Runs the services to their end, and gives the cameras back, also when a service fails.
  static func run(
    _ services: [any Service], cameras: any CameraSystem, ending: SystemEnding, logger: Logger
  ) async throws {
    var group = ServiceGroupConfiguration(
      // In order, also when one fails: who waits for an answer gets it, and a server that is
      // cancelled while a connection is handed over traps (swift-nio issue 3481).
      services: services.map {
        .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
      } + [
        .init(
          service: EndingService(ending: ending),
          successTerminationBehavior: .gracefullyShutdownGroup)
      ],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    group.maximumGracefulShutdownDuration = maximumShutdown
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      await cameras.shutDown()
      throw error
    }
    await cameras.shutDown()
    logger.notice("stopped")
  }

  /// Opens the spool; when it cannot be used, the fault light says so before the service ends.
  ///
  /// The hard limit holds meanwhile, and a rig that is at it is watched until it is cooler, or is
  /// to be switched off.
  private static func openSpool(
    _ configuration: PlatenConfiguration, _ board: Board, _ ending: SystemEnding,
    clock: any MonotonicClock, logger: Logger
  ) async throws -> Spool {
    let watch = HardLimitWatch(
      sensors: board.power == nil ? [] : board.temperatureSensors, section: configuration.thermal,
      ending: ending, clock: clock, logger: logger)
    let watching = Task { await watch.watch() }
    let waiting = Task { await StartTimeout.extend(clock) }
    defer { waiting.cancel() }
    do {
      let spool = try await Spool.open(SpoolConfiguration(configuration), logger: logger)
      watching.cancel()
      return spool
    } catch {
      watching.cancel()
      await watching.value
      logger.critical("the spool cannot be opened, restarting", metadata: ["error": "\(error)"])
      if let light = board.indicators[.fault] ?? board.indicators[.single] {
        let code = IndicatorLanguage.code(of: .storageFailed).pattern
        try? await light.show(code)
        // Long enough to be read; a supervisor that starts the service anew turns it off in between.
        try? await clock.sleep(for: code.period)
      }
      await watch.watchWhileAtLimit()
      throw error
    }
  }

  /// Turns the lights and the lamp of a configuration off; for the supervisor, after the service is gone.
  public static func turnIndicatorsOff(_ configuration: PlatenConfiguration) async {
    guard configuration.board == .linux else { return }
    let indicators = BoardFactory.indicators(configuration, clock: SystemMonotonicClock())
    for indicator in indicators.values { try? await indicator.show(.off) }
    await IndicatorService.releaseAll(indicators)
    if let lamp = BoardFactory.lamp(configuration) {
      try? await lamp.turn(on: false)
      await lamp.release()
    }
  }
}

extension SpoolConfiguration {
  /// What a configuration file says of the spool and its targets.
  init(_ configuration: PlatenConfiguration) {
    let section = configuration.spool
    self.init(
      directory: section.directory, rigID: configuration.rigID,
      minimumFreeBytes: section.minimumFreeBytes, maximumBytes: section.maximumBytes,
      maximumItems: section.maximumItems,
      targets: configuration.targets.isEmpty
        ? [.unassigned] : configuration.targets.map { TargetID(rawValue: $0.name) },
      whenFull: section.whenFull == .reject ? .reject : .evictOldest,
      historyItems: section.historyItems, ledgerPresses: configuration.ledger.presses)
  }
}
