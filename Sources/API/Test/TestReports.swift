/// How a light was lit: the answer to `POST /v1/tests/light`, when it is dark again.
public struct LightTestReport: Sendable, Hashable, Codable {
  /// The light's role, for example `ready`.
  public let light: String
  /// The light's device, for example `rig:green:ready`.
  public let name: String
  /// What was to be seen, in words.
  public let shown: String
  /// For how long, in seconds.
  public let seconds: Double
  /// What is wrong, as far as the rig can tell; `nil` when it knows of nothing.
  public let problem: TestProblem?

  /// What the light of a test shows, in words; no state of the rig looks like it.
  public static let pattern = "even quick blinking, 200 ms lit and 200 ms dark"

  /// Makes a report.
  public init(
    light: String, name: String, shown: String = LightTestReport.pattern, seconds: Double,
    problem: TestProblem? = nil
  ) {
    self.light = light
    self.name = name
    self.shown = shown
    self.seconds = finite(seconds) ?? 0
    self.problem = problem
  }
}

/// What the accelerometer said: the answer to `POST /v1/tests/accelerometer`.
public struct AccelerometerTestReport: Sendable, Hashable, Codable {
  /// What is thought of the sensor: `ok`, `absent`, `frozen` or `implausible`.
  public let state: String
  /// How long it was looked at, in seconds.
  public let seconds: Double
  /// How many readings came.
  public let samples: Int
  /// Readings a second; `nil` with fewer than two.
  public let rate: Double?
  /// Readings a second that the configuration wants.
  public let wantedRate: Double
  /// The mean along x, y and z of the rig in m/s²; `nil` without a reading.
  public let mean: [Double]?
  /// The standard deviation along x, y and z in m/s²; `nil` without a reading.
  public let noise: [Double]?
  /// The mean's length in m/s², 9.81 at rest; `nil` without a reading.
  public let magnitude: Double?
  /// How far a picture must be turned clockwise to stand upright: 0, 90, 180 or 270 degrees.
  public let captureAngle: Int
  /// What is wrong; `nil` when nothing is.
  public let problem: TestProblem?

  /// Makes a report; what is no finite number is left out.
  public init(
    state: String, seconds: Double, samples: Int, rate: Double?, wantedRate: Double,
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

/// How the disk worked: the answer to `POST /v1/tests/storage`.
public struct StorageTestReport: Sendable, Hashable, Codable {
  /// The directory whose file system was tested.
  public let directory: String
  /// How many bytes were written and read back.
  public let bytes: Int64
  /// MiB a second, each on stable storage before the next; `nil` when it did not come to that.
  public let writeRate: Double?
  /// MiB a second at which they came back; `nil` when it did not come to that.
  public let readRate: Double?
  /// How long 4 KiB take to stable storage (`fsync`), the median of five, in milliseconds; `nil`
  /// when it did not come to that.
  public let syncMilliseconds: Double?
  /// Bytes that were free for the service before; `nil` when that is not known.
  public let freeBytes: Int64?
  /// What is wrong; `nil` when nothing is.
  public let problem: TestProblem?

  /// Makes a report.
  public init(
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
