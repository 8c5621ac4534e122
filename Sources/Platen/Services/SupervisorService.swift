internal import CSystemd
import Capture
import Devices
import Logging
import ServiceLifecycle

/// Tells systemd that the service is ready, how it is, and that it still lives (`sd_notify(3)`).
///
/// The watchdog is fed only as long as the capture session answers and no call of the camera hangs,
/// so that both end in a restart. Outside systemd all of this does nothing.
struct SupervisorService: Service {
  let session: CaptureSession
  let monitor: RigMonitor
  /// Gives an element when the API listens.
  let listening: AsyncStream<Void>
  let clock: any MonotonicClock

  func run() async throws {
    let changes = monitor.changes.listen(limit: 64)
    await cancelWhenGracefulShutdown {
      // The service may also end, or the API fail, before it ever listens.
      guard await listening.first(where: { true }) != nil else { return }
      sd_notify(0, "READY=1")
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await feedWatchdog() }
        group.addTask {
          await report()
          for await change in changes {
            if case .readiness = change { await report() }
          }
        }
      }
    }
    sd_notify(0, "STOPPING=1")
  }

  private func report() async {
    let readiness = await monitor.snapshot.readiness
    let reasons = readiness.reasons.map(\.rawValue).joined(separator: ", ")
    sd_notify(0, "STATUS=\(readiness.state.rawValue)" + (reasons.isEmpty ? "" : ": \(reasons)"))
  }

  private func feedWatchdog() async {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return }
    let interval = Duration.microseconds(Int64(min(microseconds / 3, 60_000_000)))
    while !Task.isCancelled {
      if await !session.isStuck { sd_notify(0, "WATCHDOG=1") }
      do { try await clock.sleep(for: interval) } catch { break }
    }
  }
}
