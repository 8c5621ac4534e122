package import CameraHost
import Foundation

/// The launch of the program that records, which is a package of its own.
package enum RecorderLaunch {
  /// The program's name, and that of its package.
  package static let name = "platen-recorder"

  /// The program's option to say its version and end.
  package static let versionOption = "--version"

  /// The program's option to be permitted a microphone.
  package static let soundOption = "--sound"

  /// Returns the launch of the program that belongs to this one (`/proc/self/exe`).
  ///
  /// - Returns: `nil` when the program is not installed.
  package static func find() -> HostLaunch? {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return program.flatMap(find(beside:))
  }

  /// Returns the launch of the program that belongs to another one.
  ///
  /// A build has both in one folder, and a package has this one in `lib/platen` beside `bin`.
  static func find(beside program: String) -> HostLaunch? {
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let path = [name, "../lib/platen/\(name)"]
      .map { folder.appendingPathComponent($0).standardizedFileURL.path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { return nil }
    var launch = HostLaunch(path: path, arguments: [])
    launch.name = name
    return launch
  }
}
