package import Devices

/// The test of a light: the answer to `POST /v1/tests/light`, when the light is dark again.
package struct LightTestReport: Sendable, Hashable, Codable {
  /// The light's role.
  package let light: Word<IndicatorRole>
  /// The light's device, for example `rig:green:ready`.
  package let name: String
  /// The visible pattern in words.
  package let shown: String
  /// The time that the light was lit, in seconds.
  package let seconds: Double
  /// The problem, as far as the rig can tell; `nil` for none.
  package let problem: TestProblem?

  /// The visible pattern of a test in words, which no state of the rig resembles.
  package static let pattern = "even quick blinking, 200 ms lit and 200 ms dark"

  package init(
    light: Word<IndicatorRole>, name: String, shown: String = LightTestReport.pattern,
    seconds: Double, problem: TestProblem? = nil
  ) {
    self.light = light
    self.name = name
    self.shown = shown
    self.seconds = finite(seconds) ?? 0
    self.problem = problem
  }
}

/// The test of the accelerometer: the answer to `POST /v1/tests/accelerometer`.
package struct AccelerometerTestReport: Sendable, Hashable, Codable {
  /// The sensor's state.
  package let state: Word<AccelerometerState>
  /// The time that the test took, in seconds.
  package let seconds: Double
  /// The number of readings.
  package let samples: Int
  /// The readings a second; `nil` with fewer than two readings.
  package let rate: Double?
  /// The readings a second that the configuration wants.
  package let wantedRate: Double
  /// The mean along x, y and z of the rig in m/s²; `nil` without a reading.
  package let mean: [Double]?
  /// The standard deviation along x, y and z in m/s²; `nil` without a reading.
  package let noise: [Double]?
  /// The mean's length in m/s², 9.81 at rest; `nil` without a reading.
  package let magnitude: Double?
  /// The clockwise turn that makes a picture upright: 0, 90, 180 or 270 degrees.
  package let captureAngle: Int
  /// The problem; `nil` for none.
  package let problem: TestProblem?

  /// Makes a report; a number that is not finite is omitted.
  package init(
    state: Word<AccelerometerState>, seconds: Double, samples: Int, rate: Double?,
    wantedRate: Double,
    mean: [Double]?, noise: [Double]?, magnitude: Double?, captureAngle: Int,
    problem: TestProblem? = nil
  ) {
    self.state = state
    self.seconds = finite(seconds) ?? 0
    self.samples = samples
    self.rate = finite(rate)
    self.wantedRate = finite(wantedRate) ?? 0
    self.mean = mean.flatMap { $0.allSatisfy(\.isFinite) ? $0 : nil }
    self.noise = noise.flatMap { $0.allSatisfy(\.isFinite) ? $0 : nil }
    self.magnitude = finite(magnitude)
    self.captureAngle = captureAngle
    self.problem = problem
  }
}

/// The test of the disk: the answer to `POST /v1/tests/storage`.
package struct StorageTestReport: Sendable, Hashable, Codable {
  /// The directory whose file system was tested.
  package let directory: String
  /// The number of bytes that were written and read back.
  package let bytes: Int64
  /// The MiB a second, each on stable storage before the next; `nil` without a measurement.
  package let writeRate: Double?
  /// The MiB a second at which the bytes were read back; `nil` without a measurement.
  package let readRate: Double?
  /// The time of 4 KiB to stable storage (`fsync`), the median of five, in milliseconds.
  ///
  /// `nil` without a measurement.
  package let syncMilliseconds: Double?
  /// The bytes that were free for the service before the test; `nil` when not known.
  package let freeBytes: Int64?
  /// The problem; `nil` for none.
  package let problem: TestProblem?

  package init(
    directory: String, bytes: Int64 = 0, writeRate: Double? = nil, readRate: Double? = nil,
    syncMilliseconds: Double? = nil, freeBytes: Int64? = nil, problem: TestProblem? = nil
  ) {
    self.directory = directory
    self.bytes = bytes
    self.writeRate = finite(writeRate)
    self.readRate = finite(readRate)
    self.syncMilliseconds = finite(syncMilliseconds)
    self.freeBytes = freeBytes
    self.problem = problem
  }
}
