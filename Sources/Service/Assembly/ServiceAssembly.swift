import API
import Capture
import Devices
import Doctor
import Logging
import PageSense
import RigConfiguration
import ServiceLifecycle
import Spool
import Upload

/// The services of a rig, made from its configuration, its board and its spool.
struct ServiceAssembly {
  private let configuration: PlatenConfiguration
  private let product: BoardFactory.Product
  private let spool: Spool
  private let ending: SystemEnding
  private let clock: any MonotonicClock
  private let log: LogMemory
  private let logger: Logger
  private let monitor: RigMonitor
  private let keeper: RestartKeeper
  let session: CaptureSession
  private let targets: [TargetFactory.Product]
  private let ledger: LedgerService
  private let movies: MovieControl?
  private let tester: RigTester
  private let previews: PreviewMaker
  private let pages: PageMaker
  private let store: ConfigurationStore?
  private let listeningProblems = ListeningProblems()

  private var board: Board { product.board }

  /// Makes the objects that the services share.
  ///
  /// - Parameter monitor: the monitor for the states of the parts; a new one by default.
  /// - Throws: the error of a target that cannot be used.
  init(
    _ configuration: PlatenConfiguration, product: BoardFactory.Product, spool: Spool,
    ending: SystemEnding, clock: any MonotonicClock, log: LogMemory = LogMemory(), logger: Logger,
    monitor: RigMonitor? = nil
  ) async throws {
    (self.configuration, self.product, self.spool) = (configuration, product, spool)
    (self.ending, self.clock, self.log, self.logger) = (ending, clock, log, logger)
    let monitor = monitor ?? RigMonitor(hasAccelerometer: product.board.accelerometer != nil)
    self.monitor = monitor
    let restartMachine: @Sendable () -> Void = { ending.request(.restart) }
    keeper = RestartKeeper(
      file: RestartRecordFile(directory: configuration.spool.directory),
      policy: configuration.camera.restarts, clock: clock,
      moment: { BootMoment.ofThisBoot(at: $0) },
      restartMachine: product.board.power == nil ? nil : restartMachine, logger: logger)
    let numbers = PressNumbers { try await spool.reservePressNumbers(count: $0) }
    session = await Self.makeSession(
      configuration, product.board, spool, numbers, keeper: keeper, clock: clock, logger: logger)
    monitor.follow(session.events)
    let factory = TargetFactory(spool: spool, time: .vouchedFor, logger: logger)
    targets = try configuration.targets.map { try factory.make($0) }
    ledger = LedgerService(
      session: session, spool: spool, clock: clock, bootID: BootID.current, logger: logger)
    movies =
      configuration.movie.isEnabled
      ? MovieControl(
        session: session, section: configuration.movie, rigID: configuration.rigID, spool: spool,
        numbers: numbers, enter: { [ledger] in ledger.note($0) }, bootID: BootID.current,
        clock: clock, logger: logger) : nil
    tester = RigTester(
      configuration: configuration, session: session, monitor: monitor, clock: clock)
    previews = PreviewMaker(session: session, clock: clock)
    pages = PageMaker(
      previews: previews, limits: PageLimits(configuration.page),
      warnings: configuration.page.warnings, comparesPages: configuration.handsFree.isEnabled,
      clock: clock)
    store = configuration.source.map { ConfigurationStore(path: $0.path) }
  }

  private static func makeSession(
    _ configuration: PlatenConfiguration, _ board: Board, _ spool: Spool, _ numbers: PressNumbers,
    keeper: RestartKeeper, clock: any MonotonicClock, logger: Logger
  ) async -> CaptureSession {
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: configuration.rigID, make: configuration.make, model: configuration.model,
        software: "Platen \(PlatenVersion.current)", bootID: BootID.current),
      image: configuration.image, page: configuration.page, readPage: pageReading(configuration),
      duplicates: configuration.duplicates, spool: spool, logger: logger)
    let inspector = FrameInspector()
    var capture = CaptureSessionConfiguration(configuration)
    capture.earlierRecovery = keeper.earlier
    // Without this number, a retake replaces nothing. The spool reports its own problems.
    capture.latestStoredPress = try? await spool.latestPicturePress()
    let session = CaptureSession(
      configuration: capture, cameras: board.cameras,
      numbers: numbers,
      clock: clock, logger: logger,
      calibrations: CalibrationStore(directory: configuration.spool.directory, logger: logger),
      lamp: board.lamp, lamps: board.lamps, lastResort: keeper,
      findDamage: { await inspector.damage(of: $0) },
      receive: { await pipeline.process($0, deliver: $1) })
    await pipeline.tellTextAngles { [weak session] angle, photo in
      await session?.update(textAngle: angle, of: photo)
    }
    // The file of an earlier run may lie on a slow disk.
    Task { await pipeline.compareWithEarlierRun() }
    return session
  }

  /// Returns the reading of pages; `nil` if pages are not read.
  private static func pageReading(
    _ configuration: PlatenConfiguration
  ) -> PhotoPipeline.PageReading? {
    guard configuration.page.isEnabled else { return nil }
    let reader = PageReader(PageLimits(configuration.page))
    return { bytes, format in try reader.read(bytes: bytes, format: format) }
  }

  /// Returns the services in the order in which they start; they stop in reverse order.
  func services() -> [any Service] {
    let (listening, reportListening) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let api = apiServer {
      reportListening.yield()
      reportListening.finish()
    }
    let services: [(any Service)?] =
      [
        StorageService(spool: spool, session: session, clock: clock, logger: logger),
        ledger,
        IndicatorService(
          indicators: board.indicators, monitor: monitor,
          isAlive: { [session] in await !session.isStuck },
          clock: clock, logger: logger, test: tester.lights),
        ClockService(
          spool: spool, clock: clock, read: { WallClock().reading(at: $0) }, logger: logger),
        configurationService,
        MemoryService(spool: spool, clock: clock),
      ] + uploads + [
        deferred, SessionService(session: session),
        thermalHistory, thermal, accelerometer, api, buttons, handsFree,
        SupervisorService(
          session: session, monitor: monitor, listening: listening, clock: clock,
          whenGivenUp: { [keeper] in await keeper.willBeKilled(for: $0) }),
      ]
    return services.compactMap { $0 }
  }

  private var configurationService: (any Service)? {
    guard let store, let source = configuration.source else { return nil }
    return ConfigurationService(store: store, source: source, clock: clock, logger: logger)
  }

  private var uploads: [(any Service)?] {
    targets.map {
      UploadService(
        target: $0.section.name, uploader: $0.uploader, spool: spool, monitor: monitor,
        logger: logger)
    }
  }

  private var deferred: any Service {
    DeferredService(
      spool: spool, image: configuration.image, bootID: BootID.current, clock: clock,
      logger: logger
    ) { [session, monitor] in
      DeferralPolicy.Rig(
        isBusy: session.readiness.capturesInFlight > 0,
        isHot: await !monitor.snapshot.heat.constraints.capture.averagesFrames,
        availableMemory: AvailableMemory.read())
    }
  }

  private var hasHeat: Bool { !board.temperatureSensors.isEmpty || board.throttle != nil }

  private var thermalHistory: (any Service)? {
    guard hasHeat else { return nil }
    return ThermalHistoryService(
      file: ThermalHistoryFile(directory: configuration.spool.directory, logger: logger),
      monitor: monitor, clock: clock, moment: { BootMoment.ofThisBoot(at: $0) })
  }

  private var thermal: (any Service)? {
    guard hasHeat else { return nil }
    return ThermalService(
      sensors: board.temperatureSensors, throttle: board.throttle,
      section: configuration.thermal, undervoltage: configuration.power.undervoltage,
      session: session, monitor: monitor, ending: board.power == nil ? nil : ending,
      clock: clock, logger: logger)
  }

  private var accelerometer: (any Service)? {
    guard let accelerometer = board.accelerometer, let section = configuration.accelerometer else {
      return nil
    }
    return AccelerometerService(
      accelerometer: accelerometer, rate: section.rate, frozenAfter: section.frozenAfter,
      session: session, monitor: monitor, clock: clock, logger: logger,
      observer: tester.accelerometer)
  }

  private var buttons: (any Service)? {
    let buttons = configuration.buttons.compactMap { section in
      board.buttons[section.name].map { ButtonService.Button(section: section, line: $0) }
    }
    guard !buttons.isEmpty else { return nil }
    var actions = RigActions(session: session, monitor: monitor, logger: logger)
    actions.enterLostEdges = { [ledger] in ledger.note(lostEdges: $0, button: $1) }
    actions.movies = movies
    if board.power != nil { actions.powerOffMachine = { [ending] in ending.request(.powerOff) } }
    return ButtonService(
      buttons: buttons, actions: actions, clock: clock, logger: logger, observer: tester.buttons)
  }

  private var handsFree: (any Service)? {
    guard configuration.handsFree.isEnabled else { return nil }
    let driver = HandsFreeDriver(
      configuration.handsFree.policy, session: session, previews: previews, pages: pages,
      monitor: monitor, clock: clock, logger: logger)
    return HandsFreeService(driver: driver, session: session, clock: clock)
  }

  private func apiServer(onListening: @escaping @Sendable () -> Void) -> APIServer {
    let section = configuration.api
    return APIServer(
      configuration: section.server, service: model, lookUpAccess: { section.access() },
      auditLog: TimedAuditLog(
        AuditFile(directory: configuration.spool.directory, clock: clock, logger: logger),
        clock: clock),
      logSource: log,
      page: PageFolder.find().flatMap(PageFiles.init),
      signIns: SignInFile(directory: configuration.spool.directory, logger: logger),
      clock: clock, logger: logger, onListening: onListening,
      onProblem: { [listeningProblems] in listeningProblems.note($1, at: $0) })
  }

  private var model: RigModel {
    RigModel(
      rigID: configuration.rigID, board: configuration.board, session: session, spool: spool,
      spoolConfiguration: configuration.spool, targets: targets, monitor: monitor,
      indicatorNames: board.indicators.mapValues(\.name), world: product.world, clock: clock,
      startedAt: clock.now, buttonNames: configuration.buttons.map(\.name),
      cameraProcess: CameraProcess.report(of: board.cameras, clock: clock),
      listeningProblems: listeningProblems,
      configuration: configuration, configurationStore: store,
      previews: previews, pages: pages,
      broadcast: PreviewBroadcast(source: previews, clock: clock), movies: movies,
      maintenance: Maintenance(ending: ending, power: board.power), tester: tester)
  }
}

extension UploadTime {
  /// The system's clocks.
  ///
  /// The wall clock counts for upload windows only when the kernel reports that it is synchronized.
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
