package import Devices

/// The accelerometer's state and reading: the answer to `GET /v1/accelerometer`.
package struct AccelerometerReport: Sendable, Hashable, Codable {
  /// A reading of the accelerometer.
  package struct Reading: Sendable, Hashable, Codable {
    /// The time of the reading: nanoseconds of `CLOCK_MONOTONIC`.
    package let timeNanoseconds: Int64
    /// The age of the reading in milliseconds.
    package let ageMilliseconds: Double
    /// The acceleration along x, y and z of the sensor in m/s², before the mount matrix.
    package let sensor: [Double]
    /// The acceleration along x, y and z of the rig in m/s², after the mount matrix.
    package let rig: [Double]

    package init(
      timeNanoseconds: Int64, ageMilliseconds: Double, sensor: [Double], rig: [Double]
    ) {
      self.timeNanoseconds = timeNanoseconds
      self.ageMilliseconds = ageMilliseconds
      self.sensor = sensor
      self.rig = rig
    }
  }

  /// The accelerometer's state.
  package let state: Word<AccelerometerState>
  /// The clockwise turn that makes a picture upright: 0, 90, 180 or 270 degrees.
  package let captureAngle: Int
  /// The newest reading; `nil` without a usable one.
  package let reading: Reading?

  /// Makes a report; a reading is omitted unless each vector has three finite numbers.
  package init(
    state: Word<AccelerometerState>, captureAngle: Int, reading: Reading? = nil
  ) {
    self.state = state
    self.captureAngle = captureAngle
    let isUsable =
      reading.map { reading in
        [reading.sensor, reading.rig].allSatisfy { $0.count == 3 && $0.allSatisfy(\.isFinite) }
      } ?? false
    self.reading = isUsable ? reading : nil
  }
}
