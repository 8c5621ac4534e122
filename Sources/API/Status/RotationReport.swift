/// Which way up the rig is, and what that makes of pictures.
public struct RotationReport: Sendable, Hashable, Codable {
  /// How far a picture must be turned clockwise to stand upright: 0, 90, 180 or 270 degrees.
  public let captureAngle: Int
  /// The same for the live preview: 0, 90, 180 or 270 degrees.
  public let previewAngle: Int
  /// The value of EXIF's Orientation for the next picture: 1, 3, 6 or 8.
  public let exifOrientation: Int
  /// What is thought of the accelerometer: `ok`, `absent`, `frozen`, `implausible` or `none`.
  public let accelerometer: String
  /// The last reading along x, y and z of the rig in m/s²; `nil` without a usable one.
  public let acceleration: [Double]?

  /// Makes a report; an acceleration that is not three finite numbers is left out.
  public init(
    captureAngle: Int, previewAngle: Int, exifOrientation: Int, accelerometer: String,
    acceleration: [Double]? = nil
  ) {
    self.captureAngle = captureAngle
    self.previewAngle = previewAngle
    self.exifOrientation = exifOrientation
    self.accelerometer = accelerometer
    let isUsable = acceleration.map { $0.count == 3 && $0.allSatisfy(\.isFinite) } ?? false
    self.acceleration = isUsable ? acceleration : nil
  }
}
