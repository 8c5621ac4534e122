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
import Upload

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
  public static func run(_ configuration: PlatenConfiguration, logger: Logger) async throws {
    try await run(configuration, world: nil, logger: logger)
  }

  /// Runs likewise; a simulated board in a world that the caller sees, in the system's time.
  package static func run(
    _ configuration: PlatenConfiguration, world: SimulatedWorld?, logger: Logger
  ) async throws {
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(configuration, world: world, clock: clock, logger: logger)
    let board = product.board
    let ending = SystemEnding()
    async let _ = endAnyway(ending, power: board.power, clock: clock, logger: logger)
    try await endingTheMachine(ending, power: board.power, logger: logger) {
      let spool = try await openSpool(configuration, board, ending, clock: clock, logger: logger)
      let services = try await assemble(
        configuration, product: product, spool: spool, ending: ending, clock: clock, logger: logger)
      try await run(services, cameras: board.cameras, ending: ending, logger: logger)
    }
  }

  /// Runs the services to their end, and gives the cameras back, also when a service fails.
  static func run(
    _ services: [any Service], cameras: any CameraSystem, ending: SystemEnding, logger: Logger
  ) async throws {
    var group = ServiceGroupConfiguration(
      services: services.map { .init(service: $0) } + [
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

  /// The services in the order in which they start; they stop in the opposite order.
  ///
  /// - Parameter monitor: where the parts say how they are; one of their own when nothing is said.
  static func assemble(
    _ configuration: PlatenConfiguration, product: BoardFactory.Product, spool: Spool,
    ending: SystemEnding, clock: any MonotonicClock, logger: Logger, monitor: RigMonitor? = nil
  ) async throws -> [any Service] {
    let board = product.board
    let monitor = monitor ?? RigMonitor(hasAccelerometer: board.accelerometer != nil)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: configuration.rigID, make: configuration.make, model: configuration.model,
        software: "Platen \(PlatenVersion.current)", bootID: BootID.current),
      image: configuration.image, duplicates: configuration.duplicates, spool: spool, logger: logger
    )
    let restartMachine: @Sendable () -> Void = { ending.request(.restart) }
    let keeper = RestartKeeper(
      file: RestartRecordFile(directory: configuration.spool.directory),
      policy: configuration.camera.recovery.restarts, clock: clock,
      moment: { BootMoment.ofThisBoot(at: $0) },
      restartMachine: board.power == nil ? nil : restartMachine, logger: logger)
    var capture = CaptureSessionConfiguration(configuration)
    capture.earlierRecovery = keeper.earlier
    // Without it a retake replaces nothing; what is wrong with the spool it says itself.
    capture.latestStoredPress =
      (try? await spool.recentItems(limit: 1))?.first?.metadata
      .pressNumber
    let session = CaptureSession(
      configuration: capture, cameras: board.cameras,
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: clock, logger: logger,
      calibrations: CalibrationStore(directory: configuration.spool.directory, logger: logger),
      lamp: board.lamp, lastResort: keeper,
      receive: { await pipeline.process($0, deliver: $1) })
    let factory = TargetFactory(spool: spool, time: .vouchedFor, logger: logger)
    let targets = try configuration.targets.map { try factory.make($0) }
    let model = RigModel(
      rigID: configuration.rigID, board: configuration.board, session: session, spool: spool,
      spoolConfiguration: SpoolConfiguration(configuration),
      targets: targets, monitor: monitor,
      indicatorNames: board.indicators.mapValues(\.name), world: product.world, clock: clock,
      startedAt: clock.now, buttonNames: configuration.buttons.map(\.name),
      cameraProcess: CameraProcess.report(of: board.cameras, clock: clock))

    let ledger = LedgerService(
      session: session, spool: spool, clock: clock, bootID: BootID.current, logger: logger)

    let (listening, reportListening) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var services: [any Service] = [
      StorageService(spool: spool, session: session, clock: clock, logger: logger),
      ledger,
      IndicatorService(
        indicators: board.indicators, monitor: monitor, isAlive: { await !session.isStuck },
        clock: clock, logger: logger),
    ]
    services.append(
      ClockService(
        spool: spool, clock: clock, read: { WallClock().reading(at: $0) }, logger: logger))
    for target in targets {
      services.append(
        UploadService(
          target: target.section.name, uploader: target.uploader, spool: spool, monitor: monitor,
          logger: logger))
    }
    services.append(SessionService(session: session, monitor: monitor))
    if !board.temperatureSensors.isEmpty || board.throttle != nil {
      services.append(
        ThermalService(
          sensors: board.temperatureSensors, throttle: board.throttle,
          section: configuration.thermal, undervoltage: configuration.power.undervoltage,
          session: session, monitor: monitor, ending: board.power == nil ? nil : ending,
          clock: clock, logger: logger))
    }
    if let accelerometer = board.accelerometer, let section = configuration.accelerometer {
      services.append(
        AccelerometerService(
          accelerometer: accelerometer, rate: section.rate, frozenAfter: section.frozenAfter,
          session: session, monitor: monitor, clock: clock, logger: logger))
    }
    services.append(
      APIServer(
        configuration: APIConfiguration(
          socketPath: configuration.apiSocket, socketGroup: configuration.apiSocketGroup),
        service: model, logger: logger,
        onListening: {
          reportListening.yield()
          reportListening.finish()
        }))
    let buttons = configuration.buttons.compactMap { section in
      board.buttons[section.name].map { ButtonService.Button(section, line: $0) }
    }
    if !buttons.isEmpty {
      var actions = RigActions(session: session, monitor: monitor, logger: logger)
      actions.enterLostEdges = { ledger.note(lostEdges: $0, button: $1) }
      if board.power != nil { actions.powerOffMachine = { ending.request(.powerOff) } }
      services.append(
        ButtonService(buttons: buttons, actions: actions, clock: clock, logger: logger))
    }
    services.append(
      SupervisorService(
        session: session, monitor: monitor, listening: listening, clock: clock,
        whenGivenUp: { await keeper.willBeKilled(for: $0) }))
    return services
  }
}

extension ButtonService.Button {
  fileprivate init(_ section: ButtonSection, line: any ButtonLine) {
    self.init(
      name: section.name, line: line, debounce: section.debounce, gestures: section.gestures,
      actions: section.actions)
  }
}

extension SpoolConfiguration {
  /// What a configuration file says of the spool and its targets.
  fileprivate init(_ configuration: PlatenConfiguration) {
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

extension UploadTime {
  /// The system's clocks; the wall clock counts for upload windows only when the kernel says that
  /// it is synchronised.
  fileprivate static let vouchedFor: UploadTime = {
    var time = UploadTime.system
    time.localTime = {
      let reading = WallClock().reading(at: SystemMonotonicClock().now)
      guard reading.trust == .synchronized else { return nil }
      return LocalTime(
        wallNanoseconds: reading.nanosecondsSinceEpoch, secondsFromGMT: reading.secondsFromGMT)
    }
    return time
  }()
}

/// The kernel's name of this boot (`/proc/sys/kernel/random/boot_id`).
enum BootID {
  static var current: String? {
    let contents = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return contents?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
