public import Devices
import Logging

/// Which way up pictures and previews are.
extension CaptureSession {
  /// Takes a reading of the accelerometer.
  public func update(_ sample: AccelerometerSample) {
    if rotation.update(sample) {
      logger.info("rig turned", metadata: ["rotation.captureAngle": "\(rotation.captureAngle)"])
      events.send(.rotation(captureAngle: rotation.captureAngle))
    }
  }

  /// The clockwise angle by which a picture taken now has to be turned to be upright.
  public var captureAngle: Int { rotation.captureAngle }

  /// The clockwise angle by which a preview has to be turned on a display fixed to the rig.
  public var previewAngle: Int { rotation.previewAngle }
}
