public import Devices

/// How an accelerometer is mounted, from what it measured in known positions.
public struct LevelResult: Sendable, Hashable, Codable {
  /// What was measured in a position.
  public struct Measurement: Sendable, Hashable, Codable {
    /// The position.
    public let pose: LevelPose
    /// Along x, y and z of the sensor, in m/s².
    public let sensor: [Double]
    /// The noise of the readings in m/s².
    public let noise: Double
    /// How far the position is from what the matrix makes of it, in degrees.
    public let errorDegrees: Double
  }

  /// Why positions give no matrix; a sentence.
  public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// How much the angle between two positions may differ from a right one, in degrees.
  public static let largestSkew = 30.0
  /// How far a position may be from what the matrix makes of it, in degrees.
  public static let largestError = 8.0
  /// Up to which angle in degrees a matrix of right angles is taken for what was meant.
  public static let nearAngle = 6.0

  /// The rotation as it was measured, as the kernel would print it.
  public let measured: String
  /// The nearest rotation that puts each axis on an axis.
  public let rightAngled: String
  /// How far the two are apart, in degrees.
  public let rightAngledDegrees: Double
  /// The positions.
  public let measurements: [Measurement]

  /// How far the worst position is from what the matrix makes of it, in degrees.
  public var errorDegrees: Double { measurements.map(\.errorDegrees).max() ?? 0 }

  /// Whether the sensor is most likely mounted at right angles.
  public var isRightAngled: Bool { rightAngledDegrees <= Self.nearAngle }

  /// Computes the matrix.
  ///
  /// - Throws: ``Refusal`` for positions that are too alike, or that contradict each other.
  public init(
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
