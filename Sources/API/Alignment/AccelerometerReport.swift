/// What the accelerometer says: the answer to `GET /v1/accelerometer`.
public struct AccelerometerReport: Sendable, Hashable, Codable {
  /// One reading.
  public struct Reading: Sendable, Hashable, Codable {
    /// When it was taken: nanoseconds of `CLOCK_MONOTONIC`.
    public let timeNanoseconds: Int64
    /// How long ago that was, in milliseconds.
    public let ageMilliseconds: Double
    /// Along x, y and z of the sensor in m/s², before the mount matrix.
    public let sensor: [Double]
    /// Along x, y and z of the rig in m/s², after the mount matrix.
    public let rig: [Double]

    /// Makes a reading.
    public init(
      timeNanoseconds: Int64, ageMilliseconds: Double, sensor: [Double], rig: [Double]
    ) {
      self.timeNanoseconds = timeNanoseconds
      self.ageMilliseconds = ageMilliseconds
      self.sensor = sensor
      self.rig = rig
    }
  }

  /// What is thought of the accelerometer: `ok`, `absent`, `frozen`, `implausible` or `none`.
  public let state: String
  /// How far a picture must be turned clockwise to stand upright: 0, 90, 180 or 270 degrees.
  public let captureAngle: Int
  /// The newest reading; `nil` without a usable one.
  public let reading: Reading?

  /// Makes a report; a reading that is not of finite numbers, three each, is left out.
  public init(state: String, captureAngle: Int, reading: Reading? = nil) {
    self.state = state
    self.captureAngle = captureAngle
    let isUsable =
      reading.map { reading in
        [reading.sensor, reading.rig].allSatisfy { $0.count == 3 && $0.allSatisfy(\.isFinite) }
      } ?? false
    self.reading = isUsable ? reading : nil
  }
}
