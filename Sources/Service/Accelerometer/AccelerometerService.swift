import Capture
import Devices
import Logging
import ServiceLifecycle

/// The service that passes gravity to the session and watches the sensor's health.
///
/// Captures never wait for the sensor: while it is missing or its readings are invalid, the last
/// orientation stays. The sensor delivers its samples in batches. At each request of the session
/// (``Capture/CaptureSession/gravityRequests``), the service fetches the samples until then. They
/// come while the frame of a press is still on its way, so that its picture gets the gravity of its
/// moment.
struct AccelerometerService: Service {
  /// The time between the samples that a picture needs; its frame is on its way for longer.
  static let fetchInterval = Duration.milliseconds(40)

  let accelerometer: any Accelerometer
  let rate: Double
  let frozenAfter: Duration?
  let session: CaptureSession
  let monitor: RigMonitor
  let clock: any MonotonicClock
  let logger: Logger
  /// The collector of samples for a test of the sensor.
  var observer = AccelerometerObserver()

  func run() async throws {
    let health = AccelerometerKeeper(frozenAfter: frozenAfter, monitor: monitor, logger: logger)
    let requests = session.gravityRequests.listen(limit: 1)
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.readSamples(health) }
        group.addTask { await self.watchForSilence(health) }
        group.addTask { for await _ in requests { await self.fetchSamples() } }
      }
    }
  }

  private func readSamples(_ health: AccelerometerKeeper) async {
    while !Task.isCancelled {
      do {
        for await batch in try await accelerometer.start(rate: rate) {
          for case .sample(let sample) in batch { observer.take(sample) }
          let samples = await health.take(batch)
          if !samples.isEmpty { await session.update(samples) }
        }
      } catch {
        _ = await health.take([.failed(error)])
      }
      await accelerometer.stop()
      // No event tells that a sensor is there again.
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }

  /// Has as many samples delivered as a turn needs, the first at once.
  private func fetchSamples() async {
    await accelerometer.flush()
    for _ in 1..<RotationCoordinator.agreement {
      do { try await clock.sleep(for: Self.fetchInterval) } catch { return }
      await accelerometer.flush()
    }
  }

  private func watchForSilence(_ health: AccelerometerKeeper) async {
    while !Task.isCancelled {
      // A sensor that falls silent sends no event.
      let deadline = await health.checkSilence(at: clock.now)
      do { try await clock.sleep(until: deadline) } catch { break }
    }
  }
}

extension CaptureSession {
  /// Takes readings of the accelerometer, the oldest first.
  fileprivate func update(_ samples: [AccelerometerSample]) {
    for sample in samples { update(sample) }
  }
}
