import Devices

/// Decides when a sensor counts as failed, what is told of it, and when it is opened again.
///
/// | state | event | next | told |
/// | --- | --- | --- | --- |
/// | sampling | samples | sampling | |
/// | sampling | nothing for ``stallLimit`` | waiting | the fault |
/// | sampling | a fault | waiting | the fault |
/// | waiting | opened | sampling, on trial | |
/// | waiting | a fault | waiting, twice as long | the fault, when it is another one |
///
/// The back-off grows until samples come, not until the device opens: a device that opens and gives
/// nothing must not be opened ten times a second.
struct AccelerometerRecovery: Sendable, Hashable {
  /// The shortest and the longest time between two attempts to open the device.
  static let backoff = (shortest: Duration.milliseconds(500), longest: Duration.seconds(8))

  /// How long a device that samples may say nothing: one second, or five sample periods.
  let stallLimit: Duration

  private var lastSample: MonotonicInstant
  private var pause = Self.backoff.shortest
  private var told: DeviceError?

  /// Makes the state of a device that has just been opened.
  ///
  /// - Parameter rate: expected samples a second, above 0.
  init(rate: Double, openedAt now: MonotonicInstant) {
    stallLimit = max(.seconds(1), .seconds(5 / rate))
    lastSample = now
  }

  /// Takes note that samples came.
  mutating func sampled(at now: MonotonicInstant) {
    lastSample = now
    pause = Self.backoff.shortest
    told = nil
  }

  /// Whether a device that samples has been silent for too long.
  func isStalled(at now: MonotonicInstant) -> Bool {
    lastSample.duration(to: now) > stallLimit
  }

  /// Takes note of a fault, after which the device is closed.
  ///
  /// - Returns: how long to wait before opening it again, and whether the fault is news.
  mutating func failed(_ error: DeviceError) -> (pause: Duration, isNews: Bool) {
    defer {
      pause = min(pause * 2, Self.backoff.longest)
      told = error
    }
    return (pause, error != told)
  }

  /// Takes note that the device was opened again.
  mutating func opened(at now: MonotonicInstant) {
    lastSample = now
  }
}
