import API
import Capture
import Devices
import Synchronization

/// The reports of the rig's changes.
extension RigModel {
  func events() async -> AsyncStream<RigEvent> {
    let numbers = EventNumbers()
    let changes = monitor.changes.listen(
      limit: 2048, onDrop: { _ in numbers.take() }, where: { $0.isTold })
    return AsyncStream(unfolding: {
      for await change in changes {
        let payload = await payload(of: change)
        let number = numbers.take()
        guard let payload else { continue }
        return RigEvent(id: number, timeNanoseconds: clock.now.nanoseconds, payload: payload)
      }
      return nil
    })
  }

  private func payload(of change: RigMonitor.Change) async -> RigEvent.Payload? {
    switch change {
    case .capture(.readiness(let readiness)): .readiness(ReadinessReport(readiness))
    case .capture(.press(let record)): .press(PressReport(record, bootID: bootID))
    case .capture(.progress(let progress)): .progress(CaptureProgressReport(progress))
    case .capture(.interruption(let interruption)): .interruption(InterruptionReport(interruption))
    case .capture(.session(let status)):
      .session(SessionReport(status, now: clock.now, cameraProcess: cameraProcess()))
    case .capture(.configuration(let resolved)):
      .configuration(SessionSettingsReport(resolved.settings))
    case .capture(.rotation), .accelerometer: .rotation(await rotation(await monitor.snapshot))
    case .thermal(let heat): .thermal(ThermalReport(heat))
    case .fault(let fault) where fault.reason == .deliveryParked:
      .targets(targetReports(await monitor.snapshot))
    case .fault, .lostEdges, .spikes: .buttons(buttons(await monitor.snapshot))
    case .upload: .targets(targetReports(await monitor.snapshot))
    case .delivery(let change): .delivery(DeliveryReport(change))
    case .countdown(let seconds): .handsFree(HandsFreeReport(secondsLeft: seconds))
    case .capture(.movie(.status(let status))):
      .movie(MovieReport(status, last: await session.latestMovie))
    case .capture(.movie(.finished(let record))):
      .movie(MovieReport(await session.movieStatus, last: record))
    case .lost, .powerOff, .uploadsPaused: nil
    }
  }
}

extension RigMonitor.Change {
  /// Whether listeners of the API are told of the change, or of its loss.
  fileprivate var isTold: Bool {
    switch self {
    case .powerOff, .uploadsPaused: false
    // The event of the outcome tells the end, too.
    case .capture(.movie(.status(let status))): status.state != .idle
    default: true
    }
  }
}

/// The consecutive numbers of the rig's events.
///
/// A lost event takes a number, too, so that listeners notice the loss.
private final class EventNumbers: Sendable {
  private let last = Atomic<UInt64>(0)

  /// Takes the next number; does not wait.
  @discardableResult func take() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
