import ArgumentParser
import Foundation
import Logging
import Platen

/// The command line of the service.
struct Platend: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platend",
    abstract: "Takes the picture of the moment when the shutter is pressed, and uploads it.",
    discussion: """
      Exit codes: 0 stopped by a signal, or the check found nothing; 1 a part failed, start again; \
      78 the configuration is wrong; 64 wrong usage.
      """,
    version: PlatenVersion.current)

  @Option(help: "The configuration file.")
  var config = "/etc/platen/platen.yaml"

  @Flag(help: "Check the configuration, say what is wrong with it, and exit.")
  var checkConfig = false

  @Flag(help: "Turn the lights of the configuration off and exit; for the supervisor.")
  var indicatorsOff = false

  func run() async throws {
    let configuration: PlatenConfiguration
    do {
      configuration = try PlatenConfiguration.load(path: config)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      throw ExitCode(78)
    }
    if checkConfig {
      print("\(config): in order")
      return
    }
    if indicatorsOff {
      await PlatenService.turnIndicatorsOff(configuration)
      return
    }
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "platend")
    logger.logLevel = configuration.logLevel
    logger.notice(
      "starting",
      metadata: [
        "version": "\(PlatenVersion.current)", "rig.id": "\(configuration.rigID)",
        "board": "\(configuration.board.rawValue)",
      ])
    do {
      try await PlatenService.run(configuration, logger: logger)
    } catch {
      logger.critical("ended by a fault", metadata: ["error": "\(error)"])
      throw ExitCode(1)
    }
  }
}
