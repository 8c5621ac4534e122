import Devices

/// A meter of whether the other end of a connection reads fast enough, as a value.
///
/// The unread rest has to shrink by the least rate between any two looks. Otherwise a trickle could
/// hold a large answer in memory for any length of time.
struct DrainMeter {
  private let least: Int
  private var left: Int

  /// Takes the first look.
  ///
  /// - Parameters:
  ///   - left: the number of bytes that are not read yet.
  ///   - leastRate: the bytes a second that have to be read.
  ///   - interval: the time between two looks.
  init(left: Int, leastRate: Int, interval: Duration) {
    self.left = left
    // The least is one byte, however short the interval is.
    least = max(1, Int(Double(leastRate) * interval.inMilliseconds / 1000))
  }

  /// Takes another look.
  ///
  /// - Parameter now: the number of bytes that are not read yet.
  /// - Returns: whether enough bytes were read since the look before.
  mutating func look(left now: Int) -> Bool {
    defer { left = now }
    return left - now >= least
  }
}
