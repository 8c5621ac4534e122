import Capture
import Devices
import Logging

/// The health of the sensor, shared by the reader of its samples and the watch for silence.
///
/// The keeper also holds back the samples that tell nothing new, which is nearly all of them. The
/// session gets them together, in their order, with the next turn or after ``timeout``. The rig
/// that is laid down or taken up again counts as turned.
actor AccelerometerKeeper {
  /// The longest time between two samples that the session gets together.
  static let timeout = Duration.seconds(1)

  private var health: AccelerometerHealth
  /// The orientation that the session will find in the same samples.
  private var rotation = RotationCoordinator(mountingAngle: 0)
  private var untold: [AccelerometerSample] = []
  private var lastTime: MonotonicInstant?
  private var lastFailure: String?
  private let monitor: RigMonitor
  private let logger: Logger

  init(frozenAfter: Duration?, monitor: RigMonitor, logger: Logger) {
    health = AccelerometerHealth(isConfigured: true, frozenAfter: frozenAfter)
    self.monitor = monitor
    self.logger = logger
  }

  /// Takes events of the sensor.
  ///
  /// - Returns: the usable samples that the session needs now, the oldest first.
  func take(_ batch: [AccelerometerEvent]) async -> [AccelerometerSample] {
    let before = health.state
    var newest: AccelerometerSample?
    var hasTurned = false
    for event in batch {
      if let sample = health.event(event) {
        untold.append(sample)
        let couldTell = rotation.source != .kept
        if rotation.update(sample) || couldTell != (rotation.source != .kept) { hasTurned = true }
      }
      switch event {
      case .sample(let sample): newest = sample
      case .failed(let error): note(error)
      }
    }
    if let newest {
      lastTime = newest.time
      await monitor.note(gravity: newest)
    }
    await report(from: before)
    guard let first = untold.first, let last = untold.last,
      hasTurned || first.time.duration(to: last.time) >= Self.timeout
    else { return [] }
    defer { untold = [] }
    return untold
  }

  /// Takes the time and returns the next time at which the sensor may have been silent too long.
  func checkSilence(at now: MonotonicInstant) async -> MonotonicInstant {
    let before = health.state
    health.tick(now: now)
    await report(from: before)
    let deadline = (lastTime ?? now).advanced(by: health.silentAfter)
    return deadline > now ? deadline : now.advanced(by: health.silentAfter)
  }

  private func note(_ error: DeviceError) {
    guard "\(error)" != lastFailure else { return }
    lastFailure = "\(error)"
    logger.warning("accelerometer failed, going on", metadata: ["error": "\(error)"])
  }

  private func report(from before: AccelerometerState) async {
    let state = health.state
    guard state != before else { return }
    if state == .ok { lastFailure = nil }
    await monitor.note(accelerometer: state)
    logger.log(
      level: state == .ok ? .notice : .warning, "accelerometer changed",
      metadata: ["accelerometer.state": "\(state.rawValue)"])
  }
}
