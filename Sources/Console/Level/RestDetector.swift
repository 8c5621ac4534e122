public import Devices

/// Tells from readings of an accelerometer whether the rig rests, and averages them.
public struct RestDetector: Sendable {
  /// What is thought of the last readings.
  public enum State: Sendable, Hashable {
    /// There are too few yet.
    case gathering
    /// The rig is being moved, or something shakes it.
    case moving
    /// It rests, but what is measured is not gravity: its length in m/s².
    case implausible(magnitude: Double)
    /// It rests: the mean of the readings, and their noise, both in m/s².
    case resting(mean: Acceleration, noise: Double)
  }

  /// Over how long a time readings are averaged.
  public static let span = Duration.milliseconds(1500)
  /// How many readings there must be in it.
  public static let leastReadings = 6
  /// How far a single reading may be from the mean, in m/s².
  public static let largestDeviation = 0.5
  /// What can be gravity, in m/s²: a small sensor may be off by a tenth.
  public static let plausible = 8.8...10.8

  private var readings: [(acceleration: Acceleration, time: MonotonicInstant)] = []

  /// Begins without readings.
  public init() {}

  /// Forgets all readings.
  public mutating func reset() { readings = [] }

  /// Takes a reading that is newer than those before.
  public mutating func add(_ acceleration: Acceleration, at time: MonotonicInstant) -> State {
    readings.append((acceleration, time))
    // One that lies a whole span back is kept, so that the rest is known to be as long as that.
    let begin = time.advanced(by: .zero - Self.span)
    if let first = readings.lastIndex(where: { $0.time <= begin }) {
      readings.removeFirst(first)
    } else {
      return .gathering
    }
    guard readings.count >= Self.leastReadings else { return .gathering }
    let count = Double(readings.count)
    let mean = Acceleration(
      x: readings.reduce(0) { $0 + $1.acceleration.x } / count,
      y: readings.reduce(0) { $0 + $1.acceleration.y } / count,
      z: readings.reduce(0) { $0 + $1.acceleration.z } / count)
    let deviations = readings.map { reading in
      Acceleration(
        x: reading.acceleration.x - mean.x, y: reading.acceleration.y - mean.y,
        z: reading.acceleration.z - mean.z
      ).magnitude
    }
    guard let worst = deviations.max(), worst.isFinite, worst <= Self.largestDeviation else {
      return .moving
    }
    guard Self.plausible.contains(mean.magnitude) else {
      return .implausible(magnitude: mean.magnitude)
    }
    let noise = (deviations.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    return .resting(mean: mean, noise: noise)
  }
}
