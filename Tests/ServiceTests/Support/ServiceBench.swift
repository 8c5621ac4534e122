import Capture
import Devices
import Logging
import ServiceLifecycle
import SimulatedDevices
import Synchronization
import TestSupport

@testable import Service

/// The parts that a service gets: a session, a monitor, a clock that stands still, and a log.
///
/// The session does not run, so that it refuses every press and shows every interruption.
struct ServiceBench: Sendable {
  let clock: ManualClock
  let world: SimulatedWorld
  let session: CaptureSession
  let monitor = RigMonitor(hasAccelerometer: true)
  let log = RecordedLog()
  /// The number of the next reservations of press numbers that fail.
  let failingReservations: FailureCount

  init(cameras: (any CameraSystem)? = nil) {
    let clock = ManualClock()
    let world = SimulatedWorld(clock: clock)
    let failures = FailureCount()
    self.clock = clock
    self.world = world
    failingReservations = failures
    var configuration = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 30))
    // The clock may move faster than the session gets its turn; a camera is no cause to end it.
    configuration.recovery.minimumUptime = nil
    session = CaptureSession(
      configuration: configuration,
      cameras: cameras ?? SimulatedCameraSystem(world: world),
      numbers: PressNumbers(blockSize: 1000) { count in
        if failures.take() { throw NoNumber() }
        return 1..<Int64(1 + count)
      },
      clock: clock, logger: log.logger, receive: { _, _ in .refused(.encodingFailed) })
  }

  /// Runs a service beside a test's own steps, then ends it as a signal does.
  func whileRunning<Result>(
    _ service: any Service, _ body: () async throws -> Result
  ) async throws -> Result {
    let group = ServiceGroup(services: [service], logger: log.logger)
    let running = Task { try await group.run() }
    do {
      let result = try await body()
      await group.triggerGracefulShutdown()
      try await running.value
      return result
    } catch {
      running.cancel()
      _ = await running.result
      throw error
    }
  }

  /// Waits until the session's interruptions are the wanted ones.
  func untilInterrupted(
    by reasons: [InterruptionReason], _ events: AsyncStream<CaptureEvent>
  ) async {
    if session.readiness.reasons == reasons { return }
    for await case .readiness(let readiness) in events where readiness.reasons == reasons { return }
  }
}

/// A number of failures that are still to happen.
final class FailureCount: Sendable {
  private let left = Mutex(0)

  func set(_ count: Int) { left.withLock { $0 = count } }

  /// Returns whether a failure is to happen now.
  func take() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}
