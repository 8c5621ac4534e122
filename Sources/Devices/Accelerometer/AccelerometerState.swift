/// The state of the accelerometer.
package enum AccelerometerState: String, Sendable, Hashable, Codable, CaseIterable {
  /// There is no accelerometer in the configuration.
  case none
  /// Readings arrive and can be gravity.
  case ok
  /// The sensor cannot be read.
  case absent
  /// Readings have been bit-identical for too long, or have stopped arriving.
  case frozen
  /// Readings are not finite, or far from gravity for too long.
  case implausible
}
