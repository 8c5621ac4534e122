import Devices

/// Tells readings that can be gravity from those of a broken sensor or bus.
struct AccelerometerPlausibility: Sendable, Hashable {
  /// The maximum plausible acceleration, in m/s²: three axes at ±16 g.
  static let strongest = 16 * Acceleration.standardGravity * 3.0.squareRoot() + 1

  private let frozenAfter: Duration?
  private var last: Acceleration?
  private var lastChange: MonotonicInstant?

  /// Makes a check.
  ///
  /// - Parameter frozenAfter: the time after which unchanged readings are a fault; `nil` for never,
  ///   as for emulated sensors, which have no noise.
  init(frozenAfter: Duration?) {
    self.frozenAfter = frozenAfter
  }

  /// Returns the fault of a reading as a clause; `nil` when there is none.
  mutating func fault(of acceleration: Acceleration, at time: MonotonicInstant) -> String? {
    if acceleration != last || lastChange == nil {
      last = acceleration
      lastChange = time
    }
    guard acceleration.magnitude.isFinite else { return "a reading is not a number" }
    guard acceleration.magnitude > 0 else { return "all axes read zero" }
    guard acceleration.magnitude <= Self.strongest else {
      return "a reading is \(Int(acceleration.magnitude)) m/s²"
    }
    if let frozenAfter, let lastChange, lastChange.duration(to: time) >= frozenAfter {
      return "the readings have not changed for \(frozenAfter)"
    }
    return nil
  }
}
