package import Devices

/// The temperatures, in degrees Celsius, at which the thermal states of one zone begin.
package struct ThermalLimits: Sendable, Hashable {
  /// The start of ``ThermalState/fair``.
  package var fair: Double
  /// The start of ``ThermalState/serious``.
  package var serious: Double
  /// The start of ``ThermalState/critical``.
  package var critical: Double
  /// The temperature from which on the rig has to power off; `nil` for never.
  package var shutdown: Double?

  /// Whether each limit is above the previous one.
  package var isAscending: Bool {
    fair < serious && serious < critical && critical < shutdown ?? .infinity
  }

  /// Returns the temperature at which a state begins; −∞ for ``ThermalState/nominal``.
  package func limit(of state: ThermalState) -> Double {
    switch state {
    case .nominal: -.infinity
    case .fair: fair
    case .serious: serious
    case .critical: critical
    }
  }

  /// Returns the state that a temperature demands by itself, without hysteresis.
  package func state(at celsius: Double) -> ThermalState {
    ThermalState.allCases.last { celsius >= limit(of: $0) } ?? .nominal
  }

  /// Returns a temperature's place on a scale that all zones share.
  ///
  /// It is 1 at *fair*, 2 at *serious* and 3 at *critical*, with straight lines in between and
  /// beyond.
  package func severity(of celsius: Double) -> Double {
    if celsius < serious { return 1 + (celsius - fair) / (serious - fair) }
    return 2 + (celsius - serious) / (critical - serious)
  }
}

/// The temperature of one zone.
package struct ThermalReading: Sendable, Hashable {
  /// The zone's name, for example `cpu-thermal`.
  package var zone: String
  /// The temperature in degrees Celsius.
  package var celsius: Double

  package init(zone: String, celsius: Double) {
    self.zone = zone
    self.celsius = celsius
  }
}
