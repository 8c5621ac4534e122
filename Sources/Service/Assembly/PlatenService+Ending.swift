import Devices
import Logging

/// The end of the machine, with or without the service.
extension PlatenService {
  /// Runs a body, and then ends the machine if that was requested meanwhile.
  ///
  /// A body that fails does not prevent the end of the machine.
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

  /// Ends the machine as requested if the service takes longer than a clean end may.
  ///
  /// The call returns when the machine has ended, or when its task is canceled.
  static func endAnyway(
    _ ending: SystemEnding, power: (any SystemPower)?, clock: any MonotonicClock, logger: Logger
  ) async {
    await ending.wait()
    // If only the service has to end, systemd ends it, because systemd knows that it is stopping.
    guard ending.request != .restartService else { return }
    do { try await clock.sleep(for: maximumShutdown + .seconds(5)) } catch { return }
    logger.critical("the service does not end, the machine ends without it")
    do {
      try await end(ending.request, power: power, logger: logger)
    } catch {
      logger.critical("the machine does not end", metadata: ["error": "\(error)"])
    }
  }

  /// Powers the machine off or reboots it, if that was requested.
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
