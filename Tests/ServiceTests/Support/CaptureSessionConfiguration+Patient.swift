import Capture
import Devices

extension CaptureSessionConfiguration {
  /// Returns a session in real time that tolerates a machine that is busy for seconds.
  ///
  /// Its ring lasts 5.2 s.
  static func patient(_ size: FrameSize) -> CaptureSessionConfiguration {
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: size, frameRate: 5, ringFrameCount: 26),
      stallTimeout: .seconds(60), recoveryTimeout: .seconds(60))
    configuration.maximumWait = .seconds(60)
    return configuration
  }
}
