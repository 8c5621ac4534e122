public import Devices

/// Turns temperatures and the firmware's throttle flags into a thermal state that does not flap.
///
/// It works in three layers:
///
/// 1. *Zones.* Each zone has a state by its own limits. It begins at its limit and ends when the
///    temperature is below the limit by the hysteresis. A zone that cannot be read keeps its state,
///    whatever the others say, so that a dead sensor neither cools a hot rig nor stops a cool one;
///    after ``unreadPatience`` it counts nothing while others can be read, for it may have gone for
///    good, and so does one that has never been read.
/// 2. *Demand.* The hottest zone counts, each measured against its own limits. A firmware that
///    throttles, or has reached its soft limit, demands at least ``ThermalState/serious``.
/// 3. *Rate.* The state follows the demand up at once, because protection comes first. It follows it
///    down only when a dwell has passed since its last change, whichever way that went.
///
/// Hence no step down lies within a dwell of any other change, and in any time as long as a dwell
/// there is at most one change of direction. A temperature that swings round a limit thus gives at
/// most one pair of changes (down, and up again) in a dwell. When the state rises again so soon after
/// it fell, within the dwell of that moment, the dwell doubles, up to ``longestDwellFactor`` times
/// the configured one; a swing that goes on for an hour thus costs few changes. The dwell is the
/// configured one again as soon as a step up comes later than that.
public struct ThermalGovernor: Sendable {
  /// How the governor is set up.
  public struct Configuration: Sendable, Hashable {
    /// The limits of all zones that have none of their own.
    public var limits: ThermalLimits
    /// Limits of single zones, by their names.
    public var zoneLimits: [String: ThermalLimits]
    /// How far the temperature must fall below a limit, in kelvins, above 0.
    public var hysteresis: Double
    /// How long after a change the state may fall at the earliest.
    public var dwell: Duration
    /// How long a zone must have been at its hard limit before the rig has to be switched off.
    public var shutdownDelay: Duration

    /// Makes a configuration; every zone's limits must ascend.
    public init(
      limits: ThermalLimits = ThermalLimits(fair: 60, serious: 70, critical: 80, shutdown: 90),
      zoneLimits: [String: ThermalLimits] = [:], hysteresis: Double = 3,
      dwell: Duration = .seconds(60), shutdownDelay: Duration = .seconds(10)
    ) {
      self.limits = limits
      self.zoneLimits = zoneLimits
      self.hysteresis = hysteresis
      self.dwell = dwell
      self.shutdownDelay = shutdownDelay
    }

    /// Takes the hard limits away, for a rig that nobody can switch off.
    public mutating func removeHardLimits() {
      limits.shutdown = nil
      for zone in zoneLimits.keys { zoneLimits[zone]?.shutdown = nil }
    }

    /// The limits of a zone.
    public func limits(of zone: String) -> ThermalLimits { zoneLimits[zone] ?? limits }
  }

  /// A change of state, and what decided it.
  public struct Change: Sendable, Hashable {
    /// The state before.
    public var from: ThermalState
    /// The state from now on.
    public var to: ThermalState
    /// The hottest of the zones that could be read, each against its own limits; `nil` for none.
    public var hottest: ThermalReading?
    /// What the firmware said.
    public var flags: ThrottleFlags
    /// Whether the firmware, not a temperature, demands the new state.
    public var isFirmwares: Bool
  }

  /// What an update has brought.
  public struct Update: Sendable, Hashable {
    /// The change of state, if there was one.
    public var change: Change?
    /// The zone because of which the rig has to be switched off now; given at every update for as
    /// long as it is so.
    public var shutdown: ThermalReading?
  }

  /// How many times as long as configured a dwell may become.
  public static let longestDwellFactor = 16
  /// How long a zone that cannot be read keeps its state while others can.
  public static let unreadPatience = Duration.seconds(600)

  /// How the governor is set up.
  public let configuration: Configuration
  /// The state now.
  public private(set) var state = ThermalState.nominal
  /// How long after the last change the state may fall.
  public private(set) var dwell: Duration
  private var zoneStates: [String: ThermalState] = [:]
  /// Since when zones have not been among those that can be read.
  private var unreadSince: [String: MonotonicInstant] = [:]
  private var beyondSince: [String: MonotonicInstant] = [:]
  private var lastChange: (time: MonotonicInstant, wasDown: Bool)?

  /// Whether a zone is at its hard limit, or was so when it could be read last.
  public var isAtHardLimit: Bool { !beyondSince.isEmpty }

  /// Makes a governor of a rig that is cool.
  public init(configuration: Configuration) {
    self.configuration = configuration
    dwell = configuration.dwell
  }

  /// Takes the readings of all zones that could be read, and the firmware's flags.
  ///
  /// - Parameters:
  ///   - readings: what could be read; what is no number counts as not read.
  ///   - flags: what the firmware says now; empty where there is none.
  ///   - now: the time, never earlier than at the update before.
  /// - Returns: the change of state, if there was one, and whether the rig has to be switched off.
  public mutating func update(
    _ readings: [ThermalReading], flags: ThrottleFlags = [], at now: MonotonicInstant
  ) -> Update {
    let readings = readings.filter(\.celsius.isFinite)
    follow(readings, at: now)
    let firmware: ThermalState =
      flags.isDisjoint(with: [.throttled, .softTemperatureLimit]) ? .nominal : .serious
    let temperature = zoneStates.values.max() ?? .nominal
    let demand = max(temperature, firmware)
    var update = Update(shutdown: shutdown(readings, at: now))
    if mayBecome(demand, at: now) {
      update.change = Change(
        from: state, to: demand, hottest: hottest(readings), flags: flags,
        isFirmwares: firmware > temperature)
      note(isDown: demand < state, at: now)
      state = demand
    }
    return update
  }

  /// The reading that counts: the hottest against its own limits.
  public func hottest(_ readings: [ThermalReading]) -> ThermalReading? {
    readings.max { severity($0) < severity($1) }
  }

  private func severity(_ reading: ThermalReading) -> Double {
    configuration.limits(of: reading.zone).severity(of: reading.celsius)
  }

  /// The first layer: a state for each zone that was read, now or not too long ago.
  private mutating func follow(_ readings: [ThermalReading], at now: MonotonicInstant) {
    guard !readings.isEmpty else { return }
    var next = zoneStates
    for zone in Set(zoneStates.keys).subtracting(readings.map(\.zone)) {
      let since = unreadSince[zone] ?? now
      unreadSince[zone] = since
      if since.duration(to: now) >= Self.unreadPatience { next[zone] = nil }
    }
    for reading in readings {
      unreadSince[reading.zone] = nil
      let limits = configuration.limits(of: reading.zone)
      let before = zoneStates[reading.zone] ?? .nominal
      let kept = min(before, limits.state(at: reading.celsius + configuration.hysteresis))
      next[reading.zone] = max(kept, limits.state(at: reading.celsius))
    }
    zoneStates = next
  }

  /// The third layer: up at once, down after the dwell.
  private func mayBecome(_ demand: ThermalState, at now: MonotonicInstant) -> Bool {
    guard demand < state else { return demand > state }
    return lastChange.map { $0.time.duration(to: now) >= dwell } ?? true
  }

  private mutating func note(isDown: Bool, at now: MonotonicInstant) {
    if !isDown, let lastChange {
      let isSoon = lastChange.time.duration(to: now) < dwell
      if lastChange.wasDown, isSoon {
        dwell = min(dwell * 2, configuration.dwell * ThermalGovernor.longestDwellFactor)
      } else if !isSoon {
        dwell = configuration.dwell
      }
    }
    lastChange = (now, isDown)
  }

  /// The zone that has been at its hard limit for too long.
  ///
  /// A zone leaves the hard limit as it leaves a state: below it by the hysteresis. One that cannot
  /// be read is as it was, but only a reading can demand that the rig is switched off.
  private mutating func shutdown(
    _ readings: [ThermalReading], at now: MonotonicInstant
  ) -> ThermalReading? {
    var due: ThermalReading?
    for reading in readings {
      guard let limit = configuration.limits(of: reading.zone).shutdown else { continue }
      if reading.celsius < limit - configuration.hysteresis {
        beyondSince[reading.zone] = nil
      } else if reading.celsius >= limit, beyondSince[reading.zone] == nil {
        beyondSince[reading.zone] = now
      }
      guard let since = beyondSince[reading.zone],
        since.duration(to: now) >= configuration.shutdownDelay
      else { continue }
      if due.map({ severity($0) < severity(reading) }) ?? true { due = reading }
    }
    return due
  }
}
