package import Devices

/// The position of the rig, and its effect on pictures.
package struct RotationReport: Sendable, Hashable, Codable {
  /// The clockwise turn that makes a picture upright: 0, 90, 180 or 270 degrees.
  package let captureAngle: Int
  /// The clockwise turn that makes the live preview upright: 0, 90, 180 or 270 degrees.
  package let previewAngle: Int
  /// The value of EXIF's Orientation for the next picture: 1, 3, 6 or 8.
  package let exifOrientation: Int
  /// The accelerometer's state.
  package let accelerometer: Word<AccelerometerState>
  /// The last reading along x, y and z of the rig in m/s²; `nil` without a usable one.
  package let acceleration: [Double]?

  /// Makes a report; an acceleration that is not three finite numbers is omitted.
  package init(
    captureAngle: Int, previewAngle: Int, exifOrientation: Int,
    accelerometer: Word<AccelerometerState>, acceleration: [Double]? = nil
  ) {
    self.captureAngle = captureAngle
    self.previewAngle = previewAngle
    self.exifOrientation = exifOrientation
    self.accelerometer = accelerometer
    let isUsable = acceleration.map { $0.count == 3 && $0.allSatisfy(\.isFinite) } ?? false
    self.acceleration = isUsable ? acceleration : nil
  }
}
