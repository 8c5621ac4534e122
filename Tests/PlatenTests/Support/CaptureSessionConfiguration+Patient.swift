import Capture
import Devices

extension CaptureSessionConfiguration {
  /// A session in real time that bears a machine which is busy with other things for seconds: its
  /// ring lasts 2.6 s.
  static func patient(_ size: FrameSize) -> CaptureSessionConfiguration {
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: size, frameRate: 10, ringFrameCount: 26),
      stallTimeout: .seconds(60), stallPatience: .seconds(60))
    configuration.maximumWait = .seconds(60)
    return configuration
  }
}
