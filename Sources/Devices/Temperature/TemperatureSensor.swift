/// A temperature at which a thermal zone acts, as the kernel lists it.
public struct TripPoint: Sendable, Hashable {
  /// What happens at a trip point (the zone's `trip_point_N_type`).
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A fan or the like turns on.
    case active
    /// The processor slows down.
    case passive
    /// The system is told that it is hot.
    case hot
    /// The kernel shuts the system down.
    case critical
  }

  /// What happens.
  public var kind: Kind
  /// The temperature in degrees Celsius.
  public var temperature: Double

  /// Makes a trip point; the temperature is in degrees Celsius.
  public init(kind: Kind, temperature: Double) {
    self.kind = kind
    self.temperature = temperature
  }
}

/// A thermal zone.
public protocol TemperatureSensor: Sendable {
  /// The zone as people know it, for example `cpu-thermal`.
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
