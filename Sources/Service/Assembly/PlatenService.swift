import API
package import CameraHost
import Capture
import Devices
import Foundation
package import Logging
package import RigConfiguration
import ServiceLifecycle
package import SimulatedDevices
import Spool
import UnixSignals

/// The whole service, assembled from a configuration.
package enum PlatenService {
  /// The time that a clean end may take: pictures in flight are stored, transfers are ended.
  ///
  /// A camera that hangs while it stops is abandoned earlier.
  package static let maximumShutdown = HostDeadlines().change + .seconds(5)
  /// The time that the whole service takes to end at most, including its cameras' process.
  ///
  /// The unit's `TimeoutStopSec=` is longer.
  static let longestEnd = maximumShutdown + HostDeadlines().longestShutDown

  /// Runs until SIGTERM or SIGINT, until a part fails, or until the rig is too hot to go on.
  ///
  /// On a signal, the shutter stops first. Then the pictures in flight are stored, the camera is
  /// released, transfers end, and the lights go out.
  ///
  /// If the rig is too hot, the machine powers off after that.
  ///
  /// - Parameter prepared: the process for the cameras, from ``CameraProcess/prepare()``.
  /// - Throws: ``Devices/DeviceError``, `SpoolError` or another part's error, when the service
  ///   cannot start, has to restart, or cannot power the machine off.
  package static func run(
    _ configuration: PlatenConfiguration, prepared: PreparedProcess?, log: LogMemory,
    logger: Logger
  ) async throws {
    try await run(configuration, world: nil, prepared: prepared, log: log, logger: logger)
  }

  /// Runs likewise, in system time; a simulated board uses a world that the caller can see.
  package static func run(
    _ configuration: PlatenConfiguration, world: SimulatedWorld?,
    prepared: PreparedProcess? = nil, log: LogMemory = LogMemory(), logger: Logger
  ) async throws {
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(
      configuration, world: world, prepared: prepared, clock: clock, logger: logger)
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

  /// Runs the services to their end, and then releases the cameras, even when a service fails.
  static func run(
    _ services: [any Service], cameras: any CameraSystem, ending: SystemEnding, logger: Logger
  ) async throws {
    // Without a name, the group would describe each service with everything that it refers to.
    var members = services.map { service in
      // The order is kept even when a service fails: every pending request gets its answer. A
      // server that is canceled while a connection is handed over traps (swift-nio issue 3481).
      ServiceGroupConfiguration.ServiceConfiguration(
        service: service, failureTerminationBehavior: .gracefullyShutdownGroup,
        serviceName: "\(type(of: service))")
    }
    members.append(
      .init(
        service: EndingService(ending: ending),
        successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "EndingService"))
    var group = ServiceGroupConfiguration(
      services: members, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
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

  /// Opens the spool while the cameras get ready.
  ///
  /// On failure, the fault light shows it before the service ends.
  ///
  /// The hard limit applies meanwhile. A rig at the limit is watched until it is cooler or has to
  /// power off.
  static func openSpool(
    _ configuration: PlatenConfiguration, _ board: Board, _ ending: SystemEnding,
    clock: any MonotonicClock, logger: Logger
  ) async throws -> Spool {
    Task { await board.cameras.prepare() }
    let watch = HardLimitWatch(
      sensors: board.power == nil ? [] : board.temperatureSensors, section: configuration.thermal,
      ending: ending, clock: clock, logger: logger)
    let watching = Task { await watch.watch() }
    let waiting = Task { await StartTimeout.extend(clock) }
    defer { waiting.cancel() }
    do {
      let spool = try await Spool.open(configuration.spool, logger: logger)
      watching.cancel()
      return spool
    } catch {
      watching.cancel()
      await watching.value
      logger.critical("the spool cannot be opened, restarting", metadata: ["error": "\(error)"])
      if let light = board.indicators[.fault] ?? board.indicators[.single] {
        let code = InterruptionReason.storageFailed.facts.code.pattern
        try? await light.show(code)
        // The code must stay long enough to be read. A supervisor that restarts the service turns
        // it off.
        try? await clock.sleep(for: code.period)
      }
      await watch.watchWhileAtLimit()
      throw error
    }
  }

  /// Limits what this process and its threads keep for themselves, and fills standard descriptors.
  ///
  /// Must be called once and first in `main`, before any other thread is started.
  package static func prepareProcess() {
    StandardDescriptors.fill()
    ChildEndSignal.block()
    ProcessMemory.useOneArena()
    APIServer.useOneThread()
  }

  /// Turns the configured lights and lamps off; for the supervisor after the service has ended.
  package static func turnIndicatorsOff(_ configuration: PlatenConfiguration) async {
    guard configuration.board == .linux else { return }
    let indicators = BoardFactory.indicators(configuration, clock: SystemMonotonicClock())
    for indicator in indicators.values { try? await indicator.show(.off) }
    await IndicatorService.releaseAll(indicators)
    let lamp = BoardFactory.lamp(configuration).map { [$0] } ?? []
    for lamp in lamp + BoardFactory.lamps(configuration).values {
      try? await lamp.turn(on: false)
      await lamp.release()
    }
  }
}
