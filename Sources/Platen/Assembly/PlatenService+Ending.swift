import Devices
import Logging

/// The end of the machine, after the service or without it.
extension PlatenService {
  /// Does something, and then ends the machine if that was asked for meanwhile: also when what was
  /// done has failed.
  static func endingTheMachine(
    _ ending: SystemEnding, power: (any SystemPower)?, logger: Logger,
    after body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      if ending.request != nil {
        logger.error(
          "the service failed, the machine ends all the same", metadata: ["error": "\(error)"])
      }
      do {
        try await end(ending.request, power: power, logger: logger)
      } catch {
        logger.critical("the machine does not end", metadata: ["error": "\(error)"])
      }
      throw error
    }
    try await end(ending.request, power: power, logger: logger)
  }

  /// Switches the machine off although the service does not end, when that was asked for and has
  /// taken longer than a clean end may; returns when it has, or when its task is cancelled.
  static func endAnyway(
    _ ending: SystemEnding, power: (any SystemPower)?, clock: any MonotonicClock, logger: Logger
  ) async {
    await ending.wait()
    // A service alone that does not end is ended by systemd, which was told that it stops.
    guard ending.request != .restartService else { return }
    do { try await clock.sleep(for: maximumShutdown + .seconds(5)) } catch { return }
    logger.critical("the service does not end, the machine ends without it")
    do {
      try await end(ending.request, power: power, logger: logger)
    } catch {
      logger.critical("the machine does not end", metadata: ["error": "\(error)"])
    }
  }

  /// Switches the machine off or starts it anew, if that was asked for.
  static func end(
    _ request: SystemEnding.Request?, power: (any SystemPower)?, logger: Logger
  ) async throws(DeviceError) {
    guard let request, request != .restartService, let power else { return }
    logger.notice("the machine ends, too", metadata: ["system.request": "\(request.rawValue)"])
    switch request {
    case .powerOff: try await power.powerOff()
    case .restart: try await power.restart()
    case .restartService: break
    }
  }
}
