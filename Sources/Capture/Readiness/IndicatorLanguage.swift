public import Devices

/// What the lights say.
///
/// | light | dark | steady | fast blinking | flashes |
/// |---|---|---|---|---|
/// | ready | a press would be refused | a press would be taken | a picture is on its way to the disk | – |
/// | fault | nothing is wrong | the disk cannot be written, or does not answer | – | 1 camera, 2 heat, 3 disk full, 4 accelerometer |
/// | upload | nothing waits | pictures wait or are being uploaded | – | 2: the server cannot be reached |
public enum IndicatorLanguage {
  /// What the upload light has to show.
  public enum UploadActivity: Sendable, Hashable {
    /// Nothing waits.
    case idle
    /// Pictures wait for their turn or are being uploaded.
    case active
    /// The target refused or did not answer; the uploader waits before it tries again.
    case waitingToRetry
  }

  /// The ready light's pattern.
  public static func ready(_ readiness: Readiness) -> IndicatorPattern {
    if readiness.state == .sessionNotRunning { return .off }
    if readiness.capturesInFlight > 0 {
      return .blink(on: .milliseconds(60), off: .milliseconds(60))
    }
    return readiness.state == .ready ? .on : .off
  }

  /// The fault light's pattern: the most important interruption, then the accelerometer.
  public static func fault(
    _ readiness: Readiness, accelerometer: AccelerometerHealth.State
  ) -> IndicatorPattern {
    guard let reason = readiness.reasons.first else {
      return accelerometer == .ok || accelerometer == .none ? .off : .flashes(4)
    }
    switch reason {
    case .storageFailed, .storageStalled: return .on
    case .storageFull: return .flashes(3)
    case .thermalPressure: return .flashes(2)
    default: return .flashes(1)
    }
  }

  /// The upload light's pattern.
  public static func upload(_ activity: UploadActivity) -> IndicatorPattern {
    switch activity {
    case .idle: .off
    case .active: .on
    case .waitingToRetry: .flashes(2)
    }
  }
}
