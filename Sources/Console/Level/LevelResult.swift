package import Devices

/// The mounting of an accelerometer, computed from measurements in known positions.
package struct LevelResult: Sendable, Hashable, Codable {
  /// A measurement in a position.
  package struct Measurement: Sendable, Hashable, Codable {
    /// The position.
    package let pose: LevelPose
    /// The mean acceleration along the sensor's x, y and z, in m/s².
    package let sensor: [Double]
    /// The noise of the readings in m/s².
    package let noise: Double
    /// The angle between the position and the matrix's estimate in degrees.
    package let errorDegrees: Double
  }

  /// The reason why positions give no matrix, in a sentence.
  package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    package let description: String
  }

  /// The largest deviation from a right angle between two positions, in degrees.
  package static let largestSkew = 30.0
  /// The largest angle between a position and the matrix's estimate, in degrees.
  package static let largestError = 8.0
  /// The largest angle in degrees at which a right-angled matrix counts as the intended one.
  package static let nearAngle = 6.0

  /// The measured rotation in the kernel's text format.
  package let measured: String
  /// The nearest rotation that maps each axis to an axis.
  package let rightAngled: String
  /// The angle between the two rotations in degrees.
  package let rightAngledDegrees: Double
  /// The positions.
  package let measurements: [Measurement]

  /// Whether the sensor is most likely mounted at right angles.
  package var isRightAngled: Bool { rightAngledDegrees <= Self.nearAngle }

  /// Computes the matrix.
  ///
  /// - Throws: ``Refusal`` for positions that are too similar or contradict each other.
  package init(
    _ poses: [(pose: LevelPose, mean: Acceleration, noise: Double)]
  ) throws(Refusal) {
    for (index, one) in poses.enumerated() {
      for other in poses[(index + 1)...] {
        let angle = one.mean.angle(to: other.mean)
        guard abs(angle - 90) <= Self.largestSkew else {
          throw Refusal(
            description: "Between the positions \"\(one.pose.rawValue)\" and "
              + "\"\(other.pose.rawValue)\" are \(Figures.decimal(angle, 0))°, not a right angle; "
              + "nothing was changed.")
        }
      }
    }
    guard poses.count > 1 else {
      throw Refusal(description: "Two positions at least are needed; nothing was changed.")
    }
    let directions = poses.map { MountMatrix.Direction(sensor: $0.mean, rig: $0.pose.up) }
    guard let matrix = MountMatrix(fitting: directions) else {
      throw Self.contradiction("")
    }
    measurements = poses.map { pose in
      Measurement(
        pose: pose.pose, sensor: [pose.mean.x, pose.mean.y, pose.mean.z], noise: pose.noise,
        errorDegrees: matrix.applied(to: pose.mean).angle(to: pose.pose.up))
    }
    let nearest = matrix.nearestAxisRotation
    measured = matrix.kernelText
    rightAngled = nearest.kernelText
    rightAngledDegrees = matrix.angle(to: nearest)
    if let worst = measurements.max(by: { $0.errorDegrees < $1.errorDegrees }),
      worst.errorDegrees > Self.largestError
    {
      throw Self.contradiction(" by \(Figures.decimal(worst.errorDegrees, 0))°")
    }
  }

  private static func contradiction(_ extent: String) -> Refusal {
    Refusal(
      description: "The positions contradict each other\(extent); perhaps one side was taken for "
        + "another, or the rig did not lie flat on it. Nothing was changed.")
  }
}
