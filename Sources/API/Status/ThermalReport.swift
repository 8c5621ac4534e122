/// How hot the rig is.
public struct ThermalReport: Sendable, Hashable, Codable {
  /// The state: `nominal`, `fair`, `serious` or `critical`.
  public let state: String
  /// The last readings, in the order of the configuration.
  public let temperatures: [TemperatureReport]

  /// Makes a report.
  public init(state: String, temperatures: [TemperatureReport] = []) {
    self.state = state
    self.temperatures = temperatures
  }
}

/// The temperature of one thermal zone.
public struct TemperatureReport: Sendable, Hashable, Codable {
  /// The zone's name, for example `cpu-thermal`.
  public let zone: String
  /// The temperature in degrees Celsius; `nil` when the zone cannot be read.
  public let celsius: Double?

  /// Makes a report.
  public init(zone: String, celsius: Double?) {
    self.zone = zone
    self.celsius = finite(celsius)
  }
}
