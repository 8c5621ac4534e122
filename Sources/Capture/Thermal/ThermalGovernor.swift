package import Devices

/// Turns temperatures and the firmware's throttle flags into a thermal state that does not flap.
///
/// The governor works in three layers:
///
/// 1. *Zones.* Each zone has a state by its own limits. The state begins at its limit and ends when
///   the temperature is below the limit by the hysteresis. A zone that cannot be read keeps its
///   state, whatever the others say. So a dead sensor neither cools a hot rig nor stops a cool one.
///   After ``unreadTimeout`` the zone is ignored while others can be read, for it may be gone for
///   good. A zone that has never been read is ignored, too.
/// 2. *Demand.* The hottest zone counts, each measured against its own limits. Firmware that
///   throttles, or has reached its soft limit, demands at least ``ThermalState/serious``.
/// 3. *Rate.* The state follows the demand up at once, because protection comes first. It follows
///   the demand down only when a dwell has passed since its last change in either direction.
///
/// Hence no step down lies within a dwell of any other change. In any time as long as a dwell there
/// is at most one change of direction. A temperature that swings around a limit thus gives at most
/// one pair of changes (down, and up again) in a dwell. When the state rises again within the dwell
/// after a fall, the dwell doubles, up to ``longestDwellFactor`` times the configured one. A swing
/// that lasts an hour thus causes few changes. The dwell returns to the configured one as soon as a
/// step up comes later than that.
package struct ThermalGovernor: Sendable {
  /// The configuration of the governor.
  package struct Configuration: Sendable, Hashable {
    /// The limits of all zones without limits of their own.
    package var limits = ThermalLimits(fair: 60, serious: 70, critical: 80, shutdown: 90)
    /// The limits of single zones, by name.
    package var zoneLimits: [String: ThermalLimits]
    /// The margin by which the temperature must fall below a limit, in kelvins, above 0.
    package var hysteresis = 3.0
    /// The minimum time after a change before the state may fall.
    package var dwell = Duration.seconds(60)
    /// The time that a zone must be at its hard limit before the rig has to power off.
    package var shutdownDelay = Duration.seconds(10)

    /// Makes a configuration; every zone's limits must ascend.
    package init(zoneLimits: [String: ThermalLimits] = [:]) { self.zoneLimits = zoneLimits }

    /// Removes the hard limits, for a rig that cannot be powered off.
    package mutating func removeHardLimits() {
      limits.shutdown = nil
      for zone in zoneLimits.keys { zoneLimits[zone]?.shutdown = nil }
    }

    /// Returns the limits of a zone.
    package func limits(of zone: String) -> ThermalLimits { zoneLimits[zone] ?? limits }
  }

  /// A change of state, and its cause.
  package struct Change: Sendable, Hashable {
    /// The previous state.
    package var from: ThermalState
    /// The new state.
    package var to: ThermalState
    /// The hottest of the zones that could be read, each against its own limits; `nil` for none.
    package var hottest: ThermalReading?
    /// The firmware's flags.
    package var flags: ThrottleFlags
    /// Whether the firmware, not a temperature, demands the new state.
    package var isFirmwares: Bool
  }

  /// The result of an update.
  package struct Update: Sendable, Hashable {
    /// The change of state, if there was one.
    package var change: Change?
    /// The zone because of which the rig has to power off now; set at every update while it holds.
    package var shutdown: ThermalReading?
  }

  /// The maximum dwell, as a multiple of the configured one.
  package static let longestDwellFactor = 16
  /// The time that an unreadable zone keeps its state while others can be read.
  package static let unreadTimeout = Duration.seconds(600)

  /// The configuration of the governor.
  package let configuration: Configuration
  /// The state now.
  package private(set) var state = ThermalState.nominal
  /// The current minimum time after the last change before the state may fall.
  package private(set) var dwell: Duration
  private var zoneStates: [String: ThermalState] = [:]
  /// The times since which zones could not be read.
  private var unreadSince: [String: MonotonicInstant] = [:]
  private var beyondSince: [String: MonotonicInstant] = [:]
  private var lastChange: (time: MonotonicInstant, wasDown: Bool)?

  /// Whether a zone is at its hard limit, or was at its last reading.
  package var isAtHardLimit: Bool { !beyondSince.isEmpty }

  /// Makes a governor of a cool rig.
  package init(configuration: Configuration) {
    self.configuration = configuration
    dwell = configuration.dwell
  }

  /// Takes the readings of all zones that could be read, and the firmware's flags.
  ///
  /// - Parameters:
  ///   - readings: the readings; a value that is not finite counts as not read.
  ///   - flags: the firmware's current flags; empty where there is none.
  ///   - now: the time, never earlier than at the previous update.
  /// - Returns: the change of state, if there was one, and whether the rig has to power off.
  package mutating func update(
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

  /// Returns the hottest reading, each measured against its zone's limits.
  package func hottest(_ readings: [ThermalReading]) -> ThermalReading? {
    readings.max { severity($0) < severity($1) }
  }

  private func severity(_ reading: ThermalReading) -> Double {
    configuration.limits(of: reading.zone).severity(of: reading.celsius)
  }

  /// Updates the first layer: a state for each zone read now or recently.
  private mutating func follow(_ readings: [ThermalReading], at now: MonotonicInstant) {
    guard !readings.isEmpty else { return }
    var next = zoneStates
    for zone in Set(zoneStates.keys).subtracting(readings.map(\.zone)) {
      let since = unreadSince[zone] ?? now
      unreadSince[zone] = since
      if since.duration(to: now) >= Self.unreadTimeout { next[zone] = nil }
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

  /// Decides the third layer: up at once, down after the dwell.
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

  /// Returns the zone that has been at its hard limit for too long.
  ///
  /// A zone leaves the hard limit like a state: below it by the hysteresis. An unreadable zone
  /// stays as it was, but only a reading can demand a power-off.
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
