import Capture
import Devices
import Logging
import ServiceLifecycle

/// The service that passes gravity to the session and watches the sensor's health.
///
/// Captures never wait for the sensor: while it is missing or its readings are invalid, the last
/// orientation stays.
struct AccelerometerService: Service {
  let accelerometer: any Accelerometer
  let rate: Double
  let frozenAfter: Duration?
  let session: CaptureSession
  let monitor: RigMonitor
  let clock: any MonotonicClock
  let logger: Logger
  /// The collector of samples for a test of the sensor.
  var witness = AccelerometerWitness()

  func run() async throws {
    let health = HealthKeeper(frozenAfter: frozenAfter, monitor: monitor, logger: logger)
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.readSamples(health) }
        group.addTask {
          while !Task.isCancelled {
            await health.tick(now: clock.now)
            do { try await clock.sleep(for: .milliseconds(500)) } catch { break }
          }
        }
      }
    }
  }

  private func readSamples(_ health: HealthKeeper) async {
    while !Task.isCancelled {
      do {
        for await event in try await accelerometer.start(rate: rate) {
          if case .sample(let sample) = event { witness.take(sample) }
          if let sample = await health.take(event) { await session.update(sample) }
        }
      } catch {
        _ = await health.take(.failed(error))
      }
      await accelerometer.stop()
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }

  /// The health of the sensor, shared by the reader and the watch for silence.
  private actor HealthKeeper {
    private var health: AccelerometerHealth
    private let monitor: RigMonitor
    private let logger: Logger
    private var lastFailure: String?

    init(frozenAfter: Duration?, monitor: RigMonitor, logger: Logger) {
      health = AccelerometerHealth(isConfigured: true, frozenAfter: frozenAfter)
      self.monitor = monitor
      self.logger = logger
    }

    func take(_ event: AccelerometerEvent) async -> AccelerometerSample? {
      let before = health.state
      let sample = health.event(event)
      if case .sample(let raw) = event { await monitor.note(gravity: raw) }
      await report(from: before, event)
      return sample
    }

    func tick(now: MonotonicInstant) async {
      let before = health.state
      health.tick(now: now)
      await report(from: before, nil)
    }

    private func report(from before: AccelerometerHealth.State, _ event: AccelerometerEvent?) async
    {
      await monitor.note(accelerometer: health.state)
      if case .failed(let error) = event, "\(error)" != lastFailure {
        lastFailure = "\(error)"
        logger.warning("accelerometer failed, going on", metadata: ["error": "\(error)"])
      }
      guard health.state != before else { return }
      if health.state == .ok { lastFailure = nil }
      logger.log(
        level: health.state == .ok ? .notice : .warning, "accelerometer changed",
        metadata: ["accelerometer.state": "\(health.state.rawValue)"])
    }
  }
}
