package import Devices
import Logging

/// The rotation of pictures and previews.
extension CaptureSession {
  /// Takes a reading of the accelerometer.
  package func update(_ sample: AccelerometerSample) {
    if rotation.update(sample) {
      logger.info("rig turned", metadata: ["rotation.captureAngle": "\(rotation.captureAngle)"])
      events.send(.rotation(captureAngle: rotation.captureAngle))
    }
  }

  /// The clockwise angle by which a picture taken now has to be turned to be upright.
  package var captureAngle: Int { rotation.captureAngle }

  /// The clockwise angle by which a preview has to be turned on a display fixed to the rig.
  package var previewAngle: Int { rotation.previewAngle }
}
