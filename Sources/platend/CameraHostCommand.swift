import ArgumentParser
import Logging
import Platen

/// The process that has the service's cameras, which the service starts by itself.
struct CameraHostCommand: ParsableCommand {
  static let name = "camera-host"

  static let configuration = CommandConfiguration(
    commandName: "platend \(name)",
    abstract: "Has the cameras of a service that started it; not for people.")

  @Option(help: "The least severe messages that are logged.")
  var logLevel = Logger.Level.info.rawValue

  func run() {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "platend.camera")
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    CameraProcess.serve(logger: logger)
  }
}
