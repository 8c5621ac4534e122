import API
import Capture
import Devices
import Foundation
public import Logging
import ServiceLifecycle
import Spool
import UnixSignals
import Upload

/// The whole service, assembled from a configuration.
public enum PlatenService {
  /// How long a clean end may take: pictures in flight are stored, transfers are ended.
  public static let maximumShutdown = Duration.seconds(20)

  /// Runs until SIGTERM or SIGINT, or until a part fails.
  ///
  /// On a signal the shutter is given back first; then the pictures in flight are stored, the
  /// camera is released, transfers end, and the lights go out.
  ///
  /// - Throws: ``Devices/DeviceError``, `SpoolError` or another part's error, when the service
  ///   cannot start or has to be started anew.
  public static func run(_ configuration: PlatenConfiguration, logger: Logger) async throws {
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(configuration, clock: clock, logger: logger)
    let spool = try await openSpool(
      SpoolConfiguration(configuration), indicators: product.board.indicators, clock: clock,
      logger: logger)
    let services = try await assemble(
      configuration, product: product, spool: spool, clock: clock, logger: logger)
    var group = ServiceGroupConfiguration(
      services: services.map { .init(service: $0) },
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    group.maximumGracefulShutdownDuration = maximumShutdown
    try await ServiceGroup(configuration: group).run()
    await product.board.cameras.shutDown()
    logger.notice("stopped")
  }

  /// Opens the spool; when it cannot be used, the fault light says so before the service ends.
  private static func openSpool(
    _ configuration: SpoolConfiguration, indicators: [IndicatorRole: any Indicator],
    clock: any MonotonicClock, logger: Logger
  ) async throws -> Spool {
    do {
      return try await Spool.open(configuration, logger: logger)
    } catch {
      logger.critical("the spool cannot be opened, restarting", metadata: ["error": "\(error)"])
      try? await indicators[.fault]?.show(.on)
      // Long enough to be seen; a supervisor that starts the service anew turns it off in between.
      try? await clock.sleep(for: .seconds(5))
      throw error
    }
  }

  /// Turns the lights of a configuration off; for the supervisor, after the service is gone.
  public static func turnIndicatorsOff(_ configuration: PlatenConfiguration) async {
    guard configuration.board == .linux else { return }
    let indicators = BoardFactory.indicators(configuration, clock: SystemMonotonicClock())
    for indicator in indicators.values { try? await indicator.show(.off) }
    await IndicatorService.releaseAll(indicators)
  }

  /// The services in the order in which they start; they stop in the opposite order.
  private static func assemble(
    _ configuration: PlatenConfiguration, product: BoardFactory.Product, spool: Spool,
    clock: any MonotonicClock, logger: Logger
  ) async throws -> [any Service] {
    let board = product.board
    let monitor = RigMonitor(hasAccelerometer: board.accelerometer != nil)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: configuration.rigID, make: configuration.make, model: configuration.model,
        software: "Platen \(PlatenVersion.current)", quality: configuration.imageQuality,
        bootID: BootID.current),
      duplicates: configuration.duplicates, spool: spool, logger: logger)
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(configuration), cameras: board.cameras,
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: clock, logger: logger, receive: { await pipeline.process($0) })
    let factory = TargetFactory(spool: spool, time: .vouchedFor, logger: logger)
    let targets = try configuration.targets.map { try factory.make($0) }
    let model = RigModel(
      rigID: configuration.rigID, board: configuration.board, session: session, spool: spool,
      spoolConfiguration: SpoolConfiguration(configuration),
      targets: targets, monitor: monitor,
      indicatorNames: board.indicators.mapValues(\.name), world: product.world, clock: clock,
      startedAt: clock.now)

    let (listening, reportListening) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var services: [any Service] = [
      StorageService(spool: spool, session: session, clock: clock, logger: logger),
      IndicatorService(indicators: board.indicators, monitor: monitor, logger: logger),
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
    if !board.temperatureSensors.isEmpty {
      services.append(
        ThermalService(
          sensors: board.temperatureSensors, limits: configuration.thermal.limits,
          interval: configuration.thermal.interval, session: session, monitor: monitor,
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
    if let shutter = board.shutter, let section = configuration.shutter {
      services.append(
        ShutterService(
          line: shutter, debounce: section.debounce, session: session, clock: clock, logger: logger)
      )
    }
    services.append(
      SupervisorService(session: session, monitor: monitor, listening: listening, clock: clock))
    return services
  }
}

extension CaptureSessionConfiguration {
  fileprivate init(_ configuration: PlatenConfiguration) {
    self.init(
      camera: configuration.camera.camera, stream: configuration.camera.stream,
      mountingAngle: configuration.camera.mountingAngle,
      stallTimeout: configuration.camera.stallTimeout,
      maximumWait: configuration.camera.maximumWait,
      seriousFrameRate: configuration.thermal.seriousFrameRate)
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
      historyItems: section.historyItems)
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
