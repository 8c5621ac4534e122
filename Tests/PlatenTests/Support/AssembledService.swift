import Capture
import Devices
import ServiceLifecycle
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Platen

/// The service as `platend` assembles it, running on the simulated board.
struct AssembledService {
  let world: SimulatedWorld
  /// The changes since the start of the service.
  let changes: AsyncStream<RigMonitor.Change>
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts the service of a configuration in YAML, over an open spool.
  init(_ text: String, spool: Spool, log: RecordedLog) async throws {
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(configuration, clock: clock, logger: log.logger)
    world = try #require(product.world)
    let monitor = RigMonitor(hasAccelerometer: false)
    let services = try await ServiceAssembly(
      configuration, product: product, spool: spool, ending: SystemEnding(), clock: clock,
      logger: log.logger, monitor: monitor
    ).services()
    changes = monitor.changes.listen(limit: 4096)
    let group = ServiceGroup(services: services, logger: log.logger)
    self.group = group
    running = Task { try await group.run() }
  }

  /// Waits until a press would be accepted.
  func becomeReady() async {
    for await case .readiness(let readiness) in changes where readiness.state == .ready { break }
  }

  /// Ends the service and waits until it has ended.
  func end() async throws {
    await group.triggerGracefulShutdown()
    try await running.value
  }
}
