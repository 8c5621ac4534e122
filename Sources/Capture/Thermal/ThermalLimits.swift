/// The temperatures, in degrees Celsius, at which the thermal states of one zone begin.
public struct ThermalLimits: Sendable, Hashable {
  /// From here on ``ThermalState/fair``.
  public var fair: Double
  /// From here on ``ThermalState/serious``.
  public var serious: Double
  /// From here on ``ThermalState/critical``.
  public var critical: Double
  /// From here on the rig has to be switched off; `nil` for never.
  public var shutdown: Double?

  /// Makes limits in degrees Celsius; they must ascend.
  public init(fair: Double, serious: Double, critical: Double, shutdown: Double? = nil) {
    self.fair = fair
    self.serious = serious
    self.critical = critical
    self.shutdown = shutdown
  }

  /// Whether each limit lies above the one before.
  public var isAscending: Bool {
    fair < serious && serious < critical && critical < shutdown ?? .infinity
  }

  /// The temperature at which a state begins; −∞ for ``ThermalState/nominal``.
  public func limit(of state: ThermalState) -> Double {
    switch state {
    case .nominal: -.infinity
    case .fair: fair
    case .serious: serious
    case .critical: critical
    }
  }

  /// The state that a temperature demands by itself, without hysteresis.
  public func state(at celsius: Double) -> ThermalState {
    ThermalState.allCases.last { celsius >= limit(of: $0) } ?? .nominal
  }

  /// How hot a temperature is on a scale that all zones share: 1 at *fair*, 2 at *serious*, 3 at
  /// *critical*, straight lines in between and beyond.
  public func severity(of celsius: Double) -> Double {
    if celsius < serious { return 1 + (celsius - fair) / (serious - fair) }
    return 2 + (celsius - serious) / (critical - serious)
  }
}

/// The temperature of one zone.
public struct ThermalReading: Sendable, Hashable {
  /// The zone's name, for example `cpu-thermal`.
  public var zone: String
  /// The temperature in degrees Celsius.
  public var celsius: Double

  /// Makes a reading in degrees Celsius.
  public init(zone: String, celsius: Double) {
    self.zone = zone
    self.celsius = celsius
  }
}
