import API
internal import CSystemd
import Capture
import Devices
import Logging
import ServiceLifecycle

/// The service that reports readiness, state and liveness to systemd (`sd_notify(3)`).
///
/// The watchdog is fed only while the capture session answers and no call of the camera hangs.
/// Either failure therefore ends in a restart; see ``WatchdogTiming``. Outside systemd, the reports
/// have no effect.
struct SupervisorService: Service {
  let session: CaptureSession
  let monitor: RigMonitor
  /// The stream that gives an element when the API listens.
  let listening: AsyncStream<Void>
  let clock: any MonotonicClock
  /// Called once with the reason when the watchdog is no longer fed.
  var whenGivenUp: @Sendable (_ fault: String) async -> Void = { _ in }

  func run() async throws {
    let changes = monitor.snapshotChanges()
    await cancelWhenGracefulShutdown {
      // The service may end, or the API fail, before the API ever listens.
      guard await listening.first(where: { true }) != nil else { return }
      sd_notify(0, "READY=1")
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await feedWatchdog() }
        group.addTask {
          var told = await status
          sd_notify(0, told)
          for await _ in changes {
            let status = await status
            guard status != told else { continue }
            told = status
            sd_notify(0, status)
          }
        }
      }
    }
    sd_notify(0, "STOPPING=1")
  }

  private var status: String {
    get async {
      await "STATUS=\(ReadinessReport(monitor.snapshot.readiness).summary)"
    }
  }

  private func feedWatchdog() async {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return }
    let timing = WatchdogTiming(period: .microseconds(Int64(min(microseconds, 1 << 60))))
    var isGivenUp = false
    while !Task.isCancelled {
      if await !session.isStuck {
        sd_notify(0, "WATCHDOG=1")
        isGivenUp = false
      } else if !isGivenUp {
        isGivenUp = true
        let limit = await session.longestCameraCall
        await whenGivenUp("a call of the camera did not return within \(limit)")
      }
      // The watchdog of systemd expects a sign of life in each period.
      do { try await clock.sleep(for: timing.feedInterval) } catch { break }
    }
  }
}
