import Devices

/// Decides when a sensor counts as failed, which faults are reported, and when it is reopened.
///
/// | state | event | next | report |
/// | --- | --- | --- | --- |
/// | sampling | samples | sampling | |
/// | sampling | no sample for ``stallLimit`` | waiting | the fault |
/// | sampling | a fault | waiting | the fault |
/// | waiting | opened | sampling, on trial | |
/// | waiting | a fault | waiting, twice as long | the fault, if it differs |
///
/// The back-off grows until samples come, not until the device opens: a device that opens and gives
/// no samples must not be reopened ten times a second.
struct AccelerometerRecovery: Sendable, Hashable {
  /// The shortest and the longest time between two attempts to open the device.
  static let backoff = (shortest: Duration.milliseconds(500), longest: Duration.seconds(8))

  /// The maximum silence of a sampling device: one second, or five sample periods.
  let stallLimit: Duration

  private var lastSample: MonotonicInstant
  private var pause = Self.backoff.shortest
  private var told: DeviceError?

  /// Makes the state of a device that has just been opened.
  ///
  /// - Parameter rate: the expected samples per second, above 0.
  init(rate: Double, openedAt now: MonotonicInstant) {
    stallLimit = max(.seconds(1), .seconds(5 / rate))
    lastSample = now
  }

  /// Notes that samples came.
  mutating func sampled(at now: MonotonicInstant) {
    lastSample = now
    pause = Self.backoff.shortest
    told = nil
  }

  /// Returns whether a sampling device has been silent for too long.
  func isStalled(at now: MonotonicInstant) -> Bool {
    lastSample.duration(to: now) > stallLimit
  }

  /// Notes a fault, after which the device is closed.
  ///
  /// - Returns: the pause before reopening, and whether the fault differs from the reported one.
  mutating func failed(_ error: DeviceError) -> (pause: Duration, isNews: Bool) {
    defer {
      pause = min(pause * 2, Self.backoff.longest)
      told = error
    }
    return (pause, error != told)
  }

  /// Notes that the device was reopened.
  mutating func opened(at now: MonotonicInstant) {
    lastSample = now
  }
}
