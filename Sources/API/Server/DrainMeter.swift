import Devices

/// Whether the other end of a connection takes what was written to it fast enough, told by looks at
/// what is left, as a value.
///
/// What is left has to sink by the least rate between any two looks: a trickle would else hold a
/// large answer in the memory for as long as it likes.
struct DrainMeter {
  private let least: Int
  private var left: Int

  /// Takes the first look.
  ///
  /// - Parameters:
  ///   - left: how many bytes are not taken yet.
  ///   - leastRate: how many bytes a second have to be taken.
  ///   - interval: the time between two looks.
  init(left: Int, leastRate: Int, interval: Duration) {
    self.left = left
    // At least one byte, however short the interval is.
    least = max(1, Int(Double(leastRate) * interval.inMilliseconds / 1000))
  }

  /// Takes another look.
  ///
  /// - Parameter now: how many bytes are not taken yet.
  /// - Returns: whether enough was taken since the look before.
  mutating func look(left now: Int) -> Bool {
    defer { left = now }
    return left - now >= least
  }
}
