import API
import CameraHost
import Devices
import LinuxDevices
public import Logging

/// The process that has the cameras of the board `linux`, as the service starts it and as it serves.
public enum CameraProcess {
  /// Serves libcamera's cameras to the service that started this process; for the first thing in
  /// `main`.
  public static func serve(logger: Logger) -> Never {
    CameraHostServer.serve(logger: logger) { LibcameraSystem(logger: logger) }
  }

  /// Says at any time how the process of cameras is; `nil` for cameras that have none of their own.
  static func report(
    of cameras: any CameraSystem, clock: any MonotonicClock
  ) -> @Sendable () -> CameraProcessReport? {
    guard let hosted = cameras as? HostedCameraSystem else { return { nil } }
    return {
      CameraProcessReport(
        processID: hosted.processID.map { Int($0) }, starts: hosted.startCount,
        lastEnd: hosted.lastEnd.map { CameraProcessReport.End($0, now: clock.now) })
    }
  }

  /// The cameras of a process of their own, which is this program with its subcommand.
  static func cameras(logger: Logger) -> any CameraSystem {
    HostedCameraSystem(
      launch: .thisProgram(
        arguments: ["camera-host", "--log-level", logger.logLevel.rawValue]),
      findHolder: { CameraNodes.holder(besides: $0) },
      findUser: { CameraNodes.user(besides: $0) }, logger: logger)
  }
}
