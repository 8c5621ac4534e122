package import Devices

/// A detector that tells from accelerometer readings whether the rig rests, and averages them.
package struct RestDetector: Sendable {
  /// The assessment of the latest readings.
  package enum State: Sendable, Hashable {
    /// The readings are still too few.
    case gathering
    /// The rig is being moved or shaken.
    case moving
    /// The rig rests, but the mean, with this magnitude in m/s², is not gravity.
    case implausible(magnitude: Double)
    /// The rig rests, with the mean and the noise of the readings in m/s².
    case resting(mean: Acceleration, noise: Double)
  }

  /// The time over which readings are averaged.
  package static let span = Duration.milliseconds(1500)
  /// The least number of readings in that time.
  package static let leastReadings = 6
  /// The largest deviation of a reading from the mean, in m/s².
  package static let largestDeviation = 0.5
  /// The range of plausible gravity in m/s²: a small sensor may be wrong by a tenth.
  package static let plausible = 8.8...10.8

  private var readings: [(acceleration: Acceleration, time: MonotonicInstant)] = []

  /// Creates a detector without readings.
  package init() {}

  /// Forgets all readings.
  package mutating func reset() { readings = [] }

  /// Adds a reading, which must be newer than all earlier ones.
  package mutating func add(_ acceleration: Acceleration, at time: MonotonicInstant) -> State {
    readings.append((acceleration, time))
    // The newest reading outside the span is kept as evidence that the rest lasted that long.
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
