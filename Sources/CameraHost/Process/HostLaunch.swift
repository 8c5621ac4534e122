import Glibc

/// The launch of a camera process.
package struct HostLaunch: Sendable, Hashable {
  /// The program's path; `/proc/self/exe` is this program, even after its file was replaced.
  package var path: String
  /// The process's name in the list of processes.
  package var name = HostLaunch.cameraProcessName
  /// The arguments after the program's name.
  package var arguments: [String]
  /// The whole environment.
  package var environment: [String: String]

  /// The name of a camera process in the list of processes.
  package static let cameraProcessName = "platen-camera"

  /// Makes a launch.
  ///
  /// - Parameter environment: the variables that the process gets besides ``inheritedEnvironment``.
  package init(path: String, arguments: [String], environment: [String: String] = [:]) {
    self.path = path
    self.arguments = arguments
    self.environment = HostLaunch.inheritedEnvironment.merging(environment) { _, given in given }
  }

  /// Makes a launch of this program, with a hidden subcommand.
  package static func thisProgram(arguments: [String]) -> HostLaunch {
    HostLaunch(path: "/proc/self/exe", arguments: arguments)
  }

  /// The part of this process's environment that a camera process needs.
  ///
  /// The part has libcamera's own settings (`LIBCAMERA_…`), the loader's search path for libraries
  /// and the options of sanitizers. No variable that names a socket or a secret is inherited.
  /// Swift's backtraces are turned off, because they would keep a crashed process from ending.
  /// LTTng's tracer, which Debian's libcamera brings, is told not to read the headers of all mapped
  /// files, which takes half of libcamera's start (lttng-ust(3)).
  package static var inheritedEnvironment: [String: String] {
    var kept = ["SWIFT_BACKTRACE": "enable=no", "LTTNG_UST_WITHOUT_BADDR_STATEDUMP": "1"]
    var entry = environ
    while let text = entry.pointee {
      if isKept(text) {
        let parts = String(cString: text).split(separator: "=", maxSplits: 1)
        kept[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
      }
      entry += 1
    }
    return kept
  }

  /// Returns whether a variable is inherited, without a copy of any other one in this memory.
  private static func isKept(_ variable: UnsafePointer<CChar>) -> Bool {
    let beginnings = ["LIBCAMERA_", "LD_LIBRARY_PATH=", "TSAN_OPTIONS=", "ASAN_OPTIONS="]
    return beginnings.contains { strncmp(variable, $0, $0.utf8.count) == 0 }
  }
}
