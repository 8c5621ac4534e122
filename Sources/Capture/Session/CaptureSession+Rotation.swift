package import Devices
import Logging

/// The rotation of pictures and previews.
extension CaptureSession {
  /// Takes a reading of the accelerometer.
  package func update(_ sample: AccelerometerSample) {
    if rotation.update(sample) { captureAngleChanged("rig turned") }
  }

  /// Takes the angle that the text of a photo tells where gravity cannot.
  ///
  /// The angle counts for the next photos of the same camera, and not for those in flight.
  ///
  /// - Parameters:
  ///   - textAngle: the clockwise angle that turns the frame upright: 0, 90, 180 or 270.
  ///   - photo: the photo that was read.
  package func update(textAngle: Int, of photo: CapturedPhoto) {
    guard photo.camera.id == camera?.identity.id else { return }
    if rotation.update(textAngle: textAngle, at: photo.selection.frame.exposureMidpoint) {
      captureAngleChanged("page turned, as its text says")
    }
  }

  private func captureAngleChanged(_ message: Logger.Message) {
    logger.info(message, metadata: ["rotation.captureAngle": "\(rotation.captureAngle)"])
    events.send(.rotation(captureAngle: rotation.captureAngle))
  }

  /// The clockwise angle by which a picture taken now has to be turned to be upright.
  package var captureAngle: Int { rotation.captureAngle }

  /// The clockwise angle by which a preview has to be turned on a display fixed to the rig.
  package var previewAngle: Int { rotation.previewAngle }
}
