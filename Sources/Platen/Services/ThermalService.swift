import Capture
import Devices
import Logging
import ServiceLifecycle

/// Reads the temperatures and makes the session act on them.
struct ThermalService: Service {
  let sensors: [any TemperatureSensor]
  let limits: ThermalGovernor.Limits
  let interval: Duration
  let session: CaptureSession
  let monitor: RigMonitor
  let clock: any MonotonicClock
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var governor = ThermalGovernor(limits: limits)
      var unreadable: Set<String> = []
      while !Task.isCancelled {
        var readings: [RigMonitor.Temperature] = []
        for sensor in sensors {
          do {
            readings.append(
              RigMonitor.Temperature(zone: sensor.name, celsius: try await sensor.temperature()))
            unreadable.remove(sensor.name)
          } catch {
            if unreadable.insert(sensor.name).inserted {
              logger.warning(
                "a temperature cannot be read, going on without it", metadata: ["error": "\(error)"]
              )
            }
          }
        }
        let changed = governor.update(readings.map(\.celsius))
        await monitor.note(temperatures: readings, state: governor.state)
        if let changed {
          logger.log(
            level: changed >= .serious ? .warning : .notice, "thermal state changed",
            metadata: [
              "thermal.state": "\(changed.name)",
              "thermal.temperature": "\(readings.map(\.celsius).max() ?? .nan)",
            ])
          await session.apply(changed)
        }
        do { try await clock.sleep(for: interval) } catch { break }
      }
    }
  }
}
