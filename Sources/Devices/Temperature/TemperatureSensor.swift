/// A thermal zone.
package protocol TemperatureSensor: Sendable {
  /// The zone's display name, for example `cpu-thermal`.
  var name: String { get }

  /// Reads the temperature in degrees Celsius.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied`, `inputOutput`, or `implausible` for
  ///   a value outside −60...250.
  func temperature() async throws(DeviceError) -> Double
}
