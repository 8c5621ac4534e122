import Capture
import Devices
import Logging
import RigConfiguration

/// A watch that powers a rig off that is too hot while there is no ``ThermalService`` yet.
///
/// The watch runs while the spool is opened, which takes long on a failing disk, and when the spool
/// cannot be opened.
actor HardLimitWatch {
  private let interval: Duration
  private let ending: SystemEnding
  private let clock: any MonotonicClock
  private let logger: Logger
  private var governor: ThermalGovernor
  private var reader: HeatReader

  /// Makes a watch of a rig that can be powered off.
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

  /// Watches until the rig is too hot and a power off is requested, or until the task is canceled.
  ///
  /// A sensor is read again and again, because it sends no event.
  func watch() async {
    while !Task.isCancelled, await !isTooHot() {
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  /// Watches while a zone is at its hard limit, so that restarts do not reset the time limit.
  ///
  /// The watch ends soon after such a zone can no longer be read.
  ///
  /// The call is allowed only after ``watch()`` has returned.
  func watchWhileAtLimit() async {
    // The time limit counts from the first reading, which may be late on a slow machine.
    guard await !isTooHot() else { return }
    // Readings are counted, so that a pause of the machine takes none away.
    let count = Int((governor.configuration.shutdownDelay / interval).rounded(.up)) + 3
    for _ in 0..<count where governor.isAtHardLimit {
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
