import Capture
import Devices
import Logging
import ServiceLifecycle

/// Makes the lights show what the ``RigMonitor`` knows; on shutdown all lights go out.
struct IndicatorService: Service {
  let indicators: [IndicatorRole: any Indicator]
  let monitor: RigMonitor
  let logger: Logger

  func run() async throws {
    let changes = monitor.changes.listen(limit: 64)
    await cancelWhenGracefulShutdown {
      var failing: Set<IndicatorRole> = []
      await show(await monitor.snapshot, &failing)
      for await change in changes {
        switch change {
        case .readiness, .accelerometer, .upload: await show(await monitor.snapshot, &failing)
        case .thermal, .session, .press, .rotation, .delivery: break
        }
      }
    }
    await IndicatorService.releaseAll(indicators)
  }

  /// Turns all lights off and gives them back.
  static func releaseAll(_ indicators: [IndicatorRole: any Indicator]) async {
    for indicator in indicators.values { await indicator.release() }
  }

  private func show(_ snapshot: RigMonitor.Snapshot, _ failing: inout Set<IndicatorRole>) async {
    for (role, indicator) in indicators {
      let pattern =
        switch role {
        case .ready: IndicatorLanguage.ready(snapshot.readiness)
        case .fault:
          IndicatorLanguage.fault(snapshot.readiness, accelerometer: snapshot.accelerometer)
        case .upload: IndicatorLanguage.upload(snapshot.upload)
        }
      do {
        try await indicator.show(pattern)
        failing.remove(role)
      } catch {
        if failing.insert(role).inserted {
          logger.warning(
            "a light cannot be set, going on without it", metadata: ["error": "\(error)"])
        }
      }
    }
  }
}
