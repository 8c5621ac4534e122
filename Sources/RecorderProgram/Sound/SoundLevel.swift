import Glibc

/// The level meter of sound.
struct SoundLevel {
  /// The samples of a reading, half a second of one channel.
  static let sampleCount = SoundDrift.rate / 2
  /// The lowest reading, that of 16 bits, in dBFS.
  static let lowest = -96.0

  private var sum = 0.0
  private var count = 0

  /// Notes samples, 1 for full scale.
  ///
  /// - Returns: the level in dBFS of the last reading, -96 to 0; `nil` while it goes on. A full
  ///   sine has 0 (AES17).
  mutating func note(_ samples: ArraySlice<Float>) -> Double? {
    for sample in samples { sum += Double(sample) * Double(sample) }
    count += samples.count
    guard count >= SoundLevel.sampleCount else { return nil }
    defer { (sum, count) = (0, 0) }
    let decibels = 10 * log10(2 * sum / Double(count))
    return min(max(decibels, SoundLevel.lowest), 0)
  }
}
