/// How hot the rig is, what the firmware says, and what the rig does without.
public struct ThermalReport: Sendable, Hashable, Codable {
  /// The state: `nominal`, `fair`, `serious` or `critical`.
  public let state: String
  /// The last readings, in the order of the configuration.
  public let temperatures: [TemperatureReport]
  /// The zone that is hottest against its own limits; `nil` when none can be read.
  public let hottest: String?
  /// What the board's firmware says; `nil` when it says nothing.
  public let firmware: ThrottleReport?
  /// What the rig does without because of the state; `nil` when nothing.
  public let constraints: ThermalConstraintsReport?
  /// `true` while the rig is being switched off because it is too hot, else `nil`.
  public let isShuttingDown: Bool?

  /// Makes a report.
  public init(
    state: String, temperatures: [TemperatureReport] = [], hottest: String? = nil,
    firmware: ThrottleReport? = nil, constraints: ThermalConstraintsReport? = nil,
    isShuttingDown: Bool? = nil
  ) {
    self.state = state
    self.temperatures = temperatures
    self.hottest = hottest
    self.firmware = firmware
    self.constraints = constraints
    self.isShuttingDown = isShuttingDown
  }
}

/// The temperature of one thermal zone.
public struct TemperatureReport: Sendable, Hashable, Codable {
  /// The zone's name, for example `cpu-thermal`.
  public let zone: String
  /// The temperature in degrees Celsius; `nil` when the zone cannot be read.
  public let celsius: Double?
  /// What is hot for this zone; `nil` when not known.
  public let limits: ThermalLimitsReport?

  /// Makes a report.
  public init(zone: String, celsius: Double?, limits: ThermalLimitsReport? = nil) {
    self.zone = zone
    self.celsius = finite(celsius)
    self.limits = limits
  }
}

/// The temperatures at which a zone's states begin, in degrees Celsius.
public struct ThermalLimitsReport: Sendable, Hashable, Codable {
  /// Where *fair* begins.
  public let fair: Double
  /// Where *serious* begins.
  public let serious: Double
  /// Where *critical* begins.
  public let critical: Double
  /// Where the rig is switched off; `nil` for never.
  public let shutdown: Double?

  /// Makes a report in degrees Celsius.
  public init(fair: Double, serious: Double, critical: Double, shutdown: Double? = nil) {
    self.fair = fair
    self.serious = serious
    self.critical = critical
    self.shutdown = shutdown
  }
}

/// What a board's firmware says of the supply and of throttling, by the names of its flags:
/// `undervoltage`, `frequencyCapped`, `throttled`, `softTemperatureLimit`.
public struct ThrottleReport: Sendable, Hashable, Codable {
  /// What is true now.
  public let now: [String]
  /// What has been true since the board started, including now.
  public let sinceBoot: [String]

  /// Makes a report.
  public init(now: [String], sinceBoot: [String]) {
    self.now = now
    self.sinceBoot = sinceBoot
  }
}

/// What a rig does without because it is hot.
public struct ThermalConstraintsReport: Sendable, Hashable, Codable {
  /// The most frames a second; `nil` for as many as configured.
  public let maximumFrameRate: Double?
  /// The preview: `unlimited`, `limited` or `stopped`.
  public let preview: String
  /// Uploads: `continue`, `single` or `hold`.
  public let uploads: String
  /// Presses: `unlimited`, `spaced` or `refused`.
  public let shots: String
  /// The time between two presses in seconds, when they are spaced.
  public let spacingSeconds: Double?

  /// Makes a report.
  public init(
    maximumFrameRate: Double?, preview: String, uploads: String, shots: String,
    spacingSeconds: Double? = nil
  ) {
    self.maximumFrameRate = finite(maximumFrameRate)
    self.preview = preview
    self.uploads = uploads
    self.shots = shots
    self.spacingSeconds = finite(spacingSeconds)
  }
}
