package import Devices

/// The temperatures of the rig, the firmware's flags, and the rig's constraints.
package struct ThermalReport: Sendable, Hashable, Codable {
  /// The thermal state.
  package let state: Word<ThermalState>
  /// The last readings, in the order of the configuration.
  package let temperatures: [TemperatureReport]
  /// The zone that is hottest against its own limits; `nil` when none can be read.
  package let hottest: String?
  /// The flags of the board's firmware; `nil` when the firmware reports none.
  package let firmware: ThrottleReport?
  /// The reason why the firmware's flags cannot be read; `nil` when they can be, or are absent.
  package let firmwareProblem: String?
  /// The constraints that the state imposes; `nil` for none.
  package let constraints: ThermalConstraintsReport?
  /// Whether the rig powers off because it is too hot: `true`, or `nil` if not.
  package let isShuttingDown: Bool?

  package init(
    state: Word<ThermalState>, temperatures: [TemperatureReport] = [], hottest: String? = nil,
    firmware: ThrottleReport? = nil, firmwareProblem: String? = nil,
    constraints: ThermalConstraintsReport? = nil, isShuttingDown: Bool? = nil
  ) {
    self.state = state
    self.temperatures = temperatures
    self.hottest = hottest
    self.firmware = firmware
    self.firmwareProblem = firmwareProblem
    self.constraints = constraints
    self.isShuttingDown = isShuttingDown
  }
}

/// The temperature of one thermal zone.
package struct TemperatureReport: Sendable, Hashable, Codable {
  /// The zone's name, for example `cpu-thermal`.
  package let zone: String
  /// The temperature in degrees Celsius; `nil` when the zone cannot be read.
  package let celsius: Double?
  /// The limits of the zone; `nil` when not known.
  package let limits: ThermalLimitsReport?

  package init(zone: String, celsius: Double?, limits: ThermalLimitsReport? = nil) {
    self.zone = zone
    self.celsius = finite(celsius)
    self.limits = limits
  }
}

/// The temperatures at which a zone's states begin, in degrees Celsius.
package struct ThermalLimitsReport: Sendable, Hashable, Codable {
  /// The temperature at which *fair* begins.
  package let fair: Double
  /// The temperature at which *serious* begins.
  package let serious: Double
  /// The temperature at which *critical* begins.
  package let critical: Double
  /// The temperature at which the rig powers off; `nil` for never.
  package let shutdown: Double?

  package init(fair: Double, serious: Double, critical: Double, shutdown: Double? = nil) {
    self.fair = fair
    self.serious = serious
    self.critical = critical
    self.shutdown = shutdown
  }
}

/// The flags of a board's firmware about the supply and throttling, by name.
package struct ThrottleReport: Sendable, Hashable, Codable {
  /// The flags that are set now.
  package let now: [Word<ThrottleFlag>]
  /// The flags that have been set since the board started, including now.
  package let sinceBoot: [Word<ThrottleFlag>]

  package init(now: [Word<ThrottleFlag>], sinceBoot: [Word<ThrottleFlag>]) {
    self.now = now
    self.sinceBoot = sinceBoot
  }

  /// Makes the report of what the firmware says.
  package init(_ status: ThrottleStatus) {
    self.init(
      now: status.now.elements.map { Word($0) },
      sinceBoot: status.sinceBoot.elements.map { Word($0) })
  }
}

/// The constraints of a rig that is hot.
package struct ThermalConstraintsReport: Sendable, Hashable, Codable {
  /// The constraint of the preview.
  package enum Preview: String, Sendable, Hashable, Codable, CaseIterable {
    /// All previews are made.
    case unlimited
    /// Few previews are made.
    case limited
    /// No preview is made.
    case stopped
  }

  /// The constraint of the uploads.
  package enum Uploads: String, Sendable, Hashable, Codable, CaseIterable {
    /// All uploads go on.
    case unlimited = "continue"
    /// Each target gets one picture at a time.
    case single
    /// No upload begins.
    case hold
  }

  /// The constraint of the presses.
  package enum Shots: String, Sendable, Hashable, Codable, CaseIterable {
    /// All presses are taken.
    case unlimited
    /// A press is taken only some time after the last one.
    case spaced
    /// No press is taken.
    case refused
  }

  /// The most frames a second; `nil` for the configured rate.
  package let maximumFrameRate: Double?
  /// The constraint of the preview.
  package let preview: Word<Preview>
  /// The constraint of the uploads.
  package let uploads: Word<Uploads>
  /// The constraint of the presses.
  package let shots: Word<Shots>
  /// The time between two presses in seconds, when they are spaced.
  package let spacingSeconds: Double?

  package init(
    maximumFrameRate: Double?, preview: Word<Preview>, uploads: Word<Uploads>,
    shots: Word<Shots>, spacingSeconds: Double? = nil
  ) {
    self.maximumFrameRate = finite(maximumFrameRate)
    self.preview = preview
    self.uploads = uploads
    self.shots = shots
    self.spacingSeconds = finite(spacingSeconds)
  }
}
