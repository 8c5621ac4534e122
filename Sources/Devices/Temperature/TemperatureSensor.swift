/// A temperature at which a thermal zone acts, as the kernel lists it.
package struct TripPoint: Sendable, Hashable {
  /// The action at a trip point (the zone's `trip_point_N_type`).
  package enum Kind: String, Sendable, Hashable, Codable {
    /// A cooling device such as a fan turns on.
    case active
    /// The processor slows down.
    case passive
    /// The system is notified that it is hot.
    case hot
    /// The kernel shuts the system down.
    case critical
  }

  /// The action.
  package var kind: Kind
  /// The temperature in degrees Celsius.
  package var temperature: Double

  /// Makes a trip point; the temperature is in degrees Celsius.
  package init(kind: Kind, temperature: Double) {
    self.kind = kind
    self.temperature = temperature
  }
}

/// A thermal zone.
package protocol TemperatureSensor: Sendable {
  /// The zone's display name, for example `cpu-thermal`.
  var name: String { get }

  /// Reads the temperature in degrees Celsius.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied`, `inputOutput`, or `implausible` for
  ///   a value outside −60...250.
  func temperature() async throws(DeviceError) -> Double

  /// Reads the trip points, in the kernel's order.
  ///
  /// - Throws: ``DeviceError`` as ``temperature()``.
  func tripPoints() async throws(DeviceError) -> [TripPoint]
}
