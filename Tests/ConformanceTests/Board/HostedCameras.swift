import CameraHost
import Devices
import Foundation
import Logging

/// Cameras in a process of their own: the fixture that is built beside the test bundle.
enum HostedCameras {
  /// Makes a system whose process serves the simulated or the kernel's cameras.
  static func make(_ kind: String) -> HostedCameraSystem {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: bundle ?? "/").deletingLastPathComponent()
    let findHolder: HostedCameraSystem.FindHolder = { CameraNodes.holder(besides: $0) }
    var deadlines = HostDeadlines()
    (deadlines.begin, deadlines.change) = (.seconds(120), .seconds(120))
    deadlines.other = .seconds(120)
    return HostedCameraSystem(
      launch: HostLaunch(
        path: folder.appendingPathComponent("camerahostfixture").path, arguments: [kind],
        // A confined process cannot find the names that ThreadSanitizer's suppressions name.
        environment: ["TSAN_OPTIONS": "report_bugs=0"]),
      deadlines: deadlines, findHolder: kind == "linux" ? findHolder : nil,
      logger: Logger(label: "conformance"))
  }
}
