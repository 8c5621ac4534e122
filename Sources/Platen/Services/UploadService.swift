import Capture
import Logging
import ServiceLifecycle
import Spool
import Upload

/// Runs the uploader of one target and shows what it does.
///
/// Its shutdown ends running transfers; what was not acknowledged is sent again at the next start.
struct UploadService: Service {
  let target: String
  let uploader: Uploader
  let spool: Spool
  let monitor: RigMonitor
  let logger: Logger

  func run() async throws {
    let events = uploader.events()
    let spoolEvents = await spool.events()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await follow(events) }
      group.addTask { await cancelWhenGracefulShutdown { await follow(spoolEvents) } }
      group.addTask { await cancelWhenGracefulShutdown { await holdWhileHot() } }
      group.addTask { await cancelWhenGracefulShutdown { await uploader.run() } }
      await group.waitForAll()
    }
  }

  /// No upload begins while the rig is too hot to take pictures: uploads pause before captures do.
  private func holdWhileHot() async {
    let changes = monitor.changes.listen(limit: 64)
    var state = await monitor.snapshot.thermal
    await uploader.setHolds(state == .critical ? [.thermalCritical] : [])
    for await change in changes {
      guard case .thermal(let now, _) = change, now != state else { continue }
      state = now
      await uploader.setHolds(state == .critical ? [.thermalCritical] : [])
    }
  }

  private func follow(_ events: AsyncStream<SpoolEvent>) async {
    for await event in events {
      switch event {
      case .waiting(let id):
        // A person has asked for it: it is not to wait for what it was set aside for.
        await uploader.retryNow(id: id.description)
      case .quarantined, .evicted:
        // It leaves the queue without a receipt, and may have been the last one.
        if await isEmpty { await monitor.note(upload: .idle, detail: nil, target: target) }
      default: break
      }
    }
  }

  private func follow(_ events: AsyncStream<DeliveryEvent>) async {
    for await event in events {
      switch event {
      case .began(let id, _, _):
        await monitor.note(upload: .active, detail: nil, target: target)
        await note(id, .began)
      case .progressed: break
      case .completed(let id, let receipt):
        logger.info(
          "uploaded",
          metadata: [
            "item.id": "\(id)", "upload.target": "\(target)", "upload.url": "\(receipt.url)",
          ])
        await note(id, .completed)
        await monitor.note(upload: await isEmpty ? .idle : .active, detail: nil, target: target)
      case .failed(let id, let failure, _, _):
        await note(id, .failed(reason: failure.text))
        await monitor.note(upload: .waitingToRetry, detail: failure.text, target: target)
      case .parked(let id, let failure, _):
        await note(id, .parked(reason: failure.text))
        await monitor.note(upload: await isEmpty ? .idle : .active, detail: nil, target: target)
      }
    }
  }

  private func note(_ id: String, _ outcome: RigMonitor.DeliveryChange.Outcome) async {
    await monitor.note(delivery: .init(itemID: id, target: target, outcome: outcome))
  }

  /// Whether nothing waits for this target.
  private var isEmpty: Bool {
    get async {
      let statistics = try? await spool.stats()
      return statistics?.targets.first { $0.target.rawValue == target }?.pending ?? 0 == 0
    }
  }
}
