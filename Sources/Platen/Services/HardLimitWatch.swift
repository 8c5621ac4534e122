import Capture
import Devices
import Logging

/// Has a rig that is too hot switched off while there is no ``ThermalService`` yet: while the spool
/// is opened, which takes long on a disk that dies, and when it cannot be opened.
actor HardLimitWatch {
  private let interval: Duration
  private let ending: SystemEnding
  private let clock: any MonotonicClock
  private let logger: Logger
  private var governor: ThermalGovernor
  private var reader: HeatReader

  /// Makes a watch of a rig that somebody can switch off.
  init(
    sensors: [any TemperatureSensor], section: ThermalSection, ending: SystemEnding,
    clock: any MonotonicClock, logger: Logger
  ) {
    interval = section.interval
    governor = ThermalGovernor(configuration: section.governor)
    reader = HeatReader(sensors: sensors, throttle: nil, clock: clock, logger: logger)
    self.ending = ending
    self.clock = clock
    self.logger = logger
  }

  /// Watches until the rig has to be switched off, which it asks for, or the task is cancelled.
  func watch() async {
    while !Task.isCancelled, await !isTooHot() {
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  /// Watches for as long as a zone is at its hard limit, so that no restart of the service begins
  /// the time anew that it may be so; ends soon when such a zone cannot be read any more.
  ///
  /// Must not be called before ``watch()`` has returned.
  func watchWhileAtLimit() async {
    // The limit counts from the first reading, which a slow machine may have late.
    guard await !isTooHot() else { return }
    let end = clock.now.advanced(by: governor.configuration.shutdownDelay + interval * 3)
    while governor.isAtHardLimit, clock.now < end {
      do { try await clock.sleep(for: interval) } catch { return }
      if await isTooHot() { return }
    }
  }

  private func isTooHot() async -> Bool {
    var reader = reader
    let readings = await reader.read().readings
    self.reader = reader
    guard let hot = governor.update(readings, at: clock.now).shutdown else { return false }
    logger.critical(
      "too hot to go on, switching off",
      metadata: ["thermal.zone": "\(hot.zone)", "thermal.temperature": "\(hot.celsius)"])
    ending.request(.powerOff)
    return true
  }
}
