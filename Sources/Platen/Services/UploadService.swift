import Capture
import Logging
import ServiceLifecycle
import Spool
import Upload

/// Runs the uploader and shows what it does.
///
/// Its shutdown ends a running transfer; what was not acknowledged is sent again at the next start.
struct UploadService: Service {
  let uploader: Uploader
  let spool: Spool
  let monitor: RigMonitor
  let logger: Logger

  func run() async throws {
    let events = uploader.events()
    let spoolEvents = await spool.events()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await follow(events) }
      group.addTask {
        await cancelWhenGracefulShutdown {
          // A damaged picture leaves the queue without a receipt, and may have been the last one.
          for await case .quarantined in spoolEvents where await isEmpty {
            await monitor.note(upload: .idle, detail: nil)
          }
        }
      }
      group.addTask { await cancelWhenGracefulShutdown { await uploader.run() } }
      await group.waitForAll()
    }
  }

  private func follow(_ events: AsyncStream<DeliveryEvent>) async {
    for await event in events {
      switch event {
      case .began(let id, _, _):
        await monitor.note(upload: .active, detail: nil)
        await monitor.note(delivery: .began(itemID: id))
      case .completed(let id, let receipt):
        logger.info("uploaded", metadata: ["item.id": "\(id)", "upload.url": "\(receipt.url)"])
        await monitor.note(delivery: .completed(itemID: id))
        await monitor.note(upload: await isEmpty ? .idle : .active, detail: nil)
      case .progressed: break
      case .failed(let id, let failure, _, _), .parked(let id, let failure, _):
        // The uploader has written it down.
        await monitor.note(delivery: .failed(itemID: id, reason: failure.text))
        await monitor.note(upload: .waitingToRetry, detail: failure.text)
      }
    }
  }

  /// Whether nothing waits for delivery.
  private var isEmpty: Bool {
    get async {
      let counts = try? await spool.counts()
      return (counts?.stored ?? 0) + (counts?.delivering ?? 0) == 0
    }
  }
}
