import API
import Capture
import Devices
import Doctor
import Synchronization

/// The readings of an accelerometer test, processed one at a time (Welford's method).
struct AccelerometerTest: Sendable, Hashable {
  /// The maximum difference of the mean's length from standard gravity, in m/s².
  static let tolerance = 0.5
  /// The maximum standard deviation along an axis of a rig at rest, in m/s².
  static let quietNoise = 0.3

  private(set) var count = 0
  private(set) var mean = [0.0, 0, 0]
  private var squares = [0.0, 0, 0]
  private var first: MonotonicInstant?
  private var last: MonotonicInstant?

  /// Adds a reading.
  mutating func take(_ sample: AccelerometerSample) {
    count += 1
    first = first ?? sample.time
    last = sample.time
    let values = [sample.acceleration.x, sample.acceleration.y, sample.acceleration.z]
    for (axis, value) in values.enumerated() {
      let distance = value - mean[axis]
      mean[axis] += distance / Double(count)
      squares[axis] += distance * (value - mean[axis])
    }
  }

  /// The standard deviation along each axis; zero with one reading.
  var noise: [Double] { squares.map { ($0 / Double(max(1, count - 1))).squareRoot() } }

  /// The length of the mean.
  var magnitude: Double { mean.reduce(0) { $0 + $1 * $1 }.squareRoot() }

  /// The number of readings a second; `nil` with fewer than two.
  var rate: Double? {
    guard count > 1, let first, let last, last > first else { return nil }
    return Double(count - 1) / (first.duration(to: last) / .seconds(1))
  }

  /// Returns the problem; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - state: the sensor's state as the service sees it.
  ///   - wantedRate: the configured number of readings a second.
  func problem(state: AccelerometerState, wantedRate: Double) -> TestProblem? {
    guard count > 0 else {
      return TestProblem(
        DoctorCode(.accelerometer), "no reading came; the sensor is \(state.rawValue)")
    }
    guard state == .ok else {
      return TestProblem(DoctorCode(.accelerometer), "the sensor is \(state.rawValue)")
    }
    guard mean.allSatisfy(\.isFinite), noise.allSatisfy(\.isFinite) else {
      return TestProblem(DoctorCode(.accelerometer), "a reading is no number")
    }
    if let rate, rate < wantedRate / 2 {
      return TestProblem(
        DoctorCode(.accelerometer),
        "\(Self.text(rate)) readings come a second, \(Self.text(wantedRate)) are wanted")
    }
    if let noise = noise.max(), noise > Self.quietNoise {
      return TestProblem(
        .accelerometerRestless, "the readings vary by \(Self.text(noise)) m/s²")
    }
    guard abs(magnitude - Acceleration.standardGravity) <= Self.tolerance else {
      return TestProblem(
        .accelerometerRestless,
        "gravity is \(Self.text(magnitude)) m/s², and \(Self.text(Acceleration.standardGravity)) "
          + "on earth")
    }
    return nil
  }

  /// Returns a number with two decimals, the same in every locale.
  private static func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e6 else { return "\(value)" }
    let hundredths = Int((value * 100).rounded())
    let rest = abs(hundredths % 100)
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The collector of readings for a test of the accelerometer; without a test it keeps none.
final class AccelerometerObserver: Sendable {
  private let test = Mutex<AccelerometerTest?>(nil)

  /// Begins a test.
  func begin() { test.withLock { $0 = AccelerometerTest() } }

  /// Adds a reading to the test.
  func take(_ sample: AccelerometerSample) { test.withLock { $0?.take(sample) } }

  /// Ends the test and returns its readings.
  func end() -> AccelerometerTest {
    test.withLock { test in
      defer { test = nil }
      return test ?? AccelerometerTest()
    }
  }
}
