import Devices

/// Tells readings that can be gravity from those that a broken sensor or bus makes.
struct AccelerometerPlausibility: Sendable, Hashable {
  /// The strongest acceleration that is believed, in m/s²: three axes at ±16 g.
  static let strongest = 16 * Acceleration.standardGravity * 3.0.squareRoot() + 1

  private let frozenAfter: Duration?
  private var last: Acceleration?
  private var lastChange: MonotonicInstant?

  /// Makes a check.
  ///
  /// - Parameter frozenAfter: how long a live sensor may say exactly the same; `nil` for ever, as
  ///   emulated sensors do, which have no noise.
  init(frozenAfter: Duration?) {
    self.frozenAfter = frozenAfter
  }

  /// Says what is wrong with a reading in a clause; `nil` when nothing is.
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
