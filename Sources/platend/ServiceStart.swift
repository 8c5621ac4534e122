import ArgumentParser
import CameraHost
import Devices
import Foundation
import Logging
import RigConfiguration
import Service
import Settings

/// The start of the service with a configuration file.
struct ServiceStart {
  /// The configuration file.
  let config: String
  /// The process for the cameras; `nil` has the service start one.
  var prepared: PreparedProcess?

  /// Makes a start with a configuration file.
  init(config: String) {
    self.config = config
  }

  /// Makes the start that the unit of systemd asks for, `platend --config FILE`.
  ///
  /// The general parser of command lines takes some percent of the time until the service is ready.
  ///
  /// - Returns: `nil` for all other arguments, which need that parser.
  init?(arguments: [String]) {
    guard arguments.count == 3, arguments[1] == "--config", !arguments[2].hasPrefix("-") else {
      return nil
    }
    config = arguments[2]
  }

  /// Runs the service with the file, or with the last good one.
  func run() async throws {
    let (configuration, refusal) = try usableConfiguration()
    try await run(configuration, refusal)
  }

  /// Runs the service, with the last good configuration after starts that did not end in order.
  ///
  /// - Parameter refusal: the errors because of which the file is not used.
  func run(_ configuration: PlatenConfiguration, _ refusal: ConfigurationErrors?) async throws {
    let trial = ConfigurationTrial(of: config)
    let other = refusal == nil ? trial.begin(configuration, bootID: BootID.current ?? "") : nil
    try await serve(other?.0 ?? configuration, other?.1 ?? refusal)
    trial.end()
  }

  private func serve(
    _ configuration: PlatenConfiguration, _ refusal: ConfigurationErrors?
  ) async throws {
    let log = LogMemory()
    let repetitions = RepetitionHandler.Memory()
    LoggingSystem.bootstrap { label in
      RepetitionHandler(
        MultiplexLogHandler([
          StreamLogHandler.standardError(label: label), log.handler(label: label),
        ]), label: label, memory: repetitions)
    }
    var logger = Logger(label: "platend")
    logger.logLevel = configuration.logLevel
    logger.notice(
      "starting",
      metadata: [
        "version": "\(PlatenVersion.current)", "rig.id": "\(configuration.rigID)",
        "board": "\(configuration.board.rawValue)",
      ])
    if let refusal {
      logger.error(
        "the configuration file cannot be used, so the last good one is",
        metadata: [
          "file": "\(config)", "error": "\(refusal.issues.first?.description ?? "")",
          "errors": "\(refusal.issues.count)",
        ])
    }
    for moved in configuration.movedKeys {
      logger.warning(
        "the configuration has a key of an earlier version",
        metadata: ["key": "\(moved.warning)"])
    }
    do {
      try await PlatenService.run(
        configuration, prepared: prepared, log: log, logger: logger)
    } catch {
      logger.critical("ended by a fault", metadata: ["error": "\(error)"])
      throw ExitCode(1)
    }
  }

  /// Returns the configuration of the file, or else the last good one with the file's errors.
  ///
  /// - Parameter isCheck: whether only the file itself is wanted.
  /// - Throws: `ExitCode` 78 without a usable configuration.
  func usableConfiguration(
    isCheck: Bool = false
  ) throws -> (PlatenConfiguration, ConfigurationErrors?) {
    do throws(ConfigurationErrors) {
      return (try PlatenConfiguration.load(path: config), nil)
    } catch {
      Self.complain("\(error)")
      guard !isCheck, let good = PlatenConfiguration.lastGood(of: config) else {
        throw ExitCode(78)
      }
      return (good, error)
    }
  }

  /// Writes a sentence to standard error.
  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
