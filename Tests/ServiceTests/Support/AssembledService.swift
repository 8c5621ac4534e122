import Capture
import Devices
import RigConfiguration
import ServiceLifecycle
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The service as `platend` assembles it, running on the simulated board.
struct AssembledService {
  let world: SimulatedWorld
  /// The session's events since the start of the service.
  let events: AsyncStream<CaptureEvent>
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts the service of a configuration in YAML, over an open spool.
  init(_ text: String, spool: Spool, log: RecordedLog) async throws {
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    let clock = SystemMonotonicClock()
    let product = BoardFactory.make(configuration, clock: clock, logger: log.logger)
    world = try #require(product.world)
    let assembly = try await ServiceAssembly(
      configuration, product: product, spool: spool, ending: SystemEnding(), clock: clock,
      logger: log.logger, monitor: RigMonitor(hasAccelerometer: false))
    events = assembly.session.events.listen(limit: 4096)
    let group = ServiceGroup(services: assembly.services(), logger: log.logger)
    self.group = group
    running = Task { try await group.run() }
  }

  /// Waits until a press would be accepted.
  func becomeReady() async {
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
  }

  /// Ends the service and waits until it has ended.
  func end() async throws {
    await group.triggerGracefulShutdown()
    try await running.value
  }
}
