import API
import CameraHost
import Devices
import LinuxDevices
package import Logging

/// The process that serves the cameras of the board `linux`, and how the service starts it.
package enum CameraProcess {
  /// Serves libcamera's cameras to the service that started this process.
  ///
  /// The call is the first statement in `main`.
  package static func serve(logger: Logger) -> Never {
    CameraHostServer.serve(logger: logger) { LibcameraSystem(logger: logger) }
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
  static func cameras(logger: Logger) -> any CameraSystem {
    HostedCameraSystem(
      launch: .thisProgram(
        arguments: ["camera-host", "--log-level", logger.logLevel.rawValue]),
      findHolder: { CameraNodes.holder(besides: $0) },
      findUser: { CameraNodes.user(besides: $0) }, logger: logger)
  }
}
