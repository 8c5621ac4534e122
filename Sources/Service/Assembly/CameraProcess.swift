import API
package import CameraHost
import Devices
import LinuxDevices
import Logging

/// The process that serves the cameras of the board `linux`, and how the service starts it.
package enum CameraProcess {
  /// The program's subcommand that serves the cameras.
  package static let subcommand = "camera-host"

  /// Serves libcamera's cameras to the service that started this process.
  ///
  /// Must be called first in `main`, on its thread, before any other thread is started.
  ///
  /// - Parameter arguments: the arguments after the program's name.
  package static func serve(arguments: [String]) -> Never {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "platend.camera")
    logger.logLevel = logLevel(in: arguments)
    CameraHostServer.serve(
      arguments: [HostLaunch.cameraProcessName] + arguments, logger: logger
    ) { [logger] in LibcameraSystem(logger: logger) }
  }

  /// Makes the process in advance, as a copy of this one that waits for its camera system.
  ///
  /// Must be called in `main`, on its thread, before any other thread is started.
  ///
  /// - Returns: `nil` when no copy can be made; then the camera system starts the program anew.
  package static func prepare() -> PreparedProcess? {
    PreparedProcess.make(name: HostLaunch.cameraProcessName) { serve(arguments: $0) }
  }

  /// Returns the arguments with which the service starts the process.
  static func arguments(logLevel: Logger.Level) -> [String] { [subcommand, logLevel.rawValue] }

  /// Returns the least severe level of the messages that the process logs.
  ///
  /// A parser of command lines would take a tenth of the process's start, and no person types these
  /// arguments.
  static func logLevel(in arguments: [String]) -> Logger.Level {
    arguments.dropFirst().first.flatMap { Logger.Level(rawValue: $0) } ?? .info
  }

  /// Returns a function that reports on the cameras' process; `nil` without a separate process.
  static func report(
    of cameras: any CameraSystem, clock: any MonotonicClock
  ) -> @Sendable () -> CameraProcessReport? {
    guard let hosted = cameras as? HostedCameraSystem else { return { nil } }
    return {
      CameraProcessReport(
        processID: hosted.processID.map { Int($0) }, starts: hosted.startCount,
        lastEnd: hosted.lastEnd.map { CameraProcessReport.End($0, now: clock.now) },
        confinement: hosted.confinement?.description)
    }
  }

  /// Returns the cameras of a separate process, which is this program with its subcommand.
  static func cameras(prepared: PreparedProcess?, logger: Logger) -> any CameraSystem {
    HostedCameraSystem(
      launch: .thisProgram(arguments: arguments(logLevel: logger.logLevel)), prepared: prepared,
      findHolder: { CameraNodes.holder(besides: $0) },
      findUser: { CameraNodes.user(besides: $0) }, logger: logger)
  }
}
