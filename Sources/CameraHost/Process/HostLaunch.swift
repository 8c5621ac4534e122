import Glibc

/// How a camera process is started.
public struct HostLaunch: Sendable, Hashable {
  /// The program's path; `/proc/self/exe` is this program, also after its file was replaced.
  public var path: String
  /// What the process is called in the list of processes.
  public var name = "platen-camera"
  /// The arguments after the program's name.
  public var arguments: [String]
  /// The whole environment.
  public var environment: [String: String]

  /// Makes a launch.
  ///
  /// - Parameter environment: what the process gets besides ``inheritedEnvironment``.
  public init(path: String, arguments: [String], environment: [String: String] = [:]) {
    self.path = path
    self.arguments = arguments
    self.environment = HostLaunch.inheritedEnvironment.merging(environment) { _, given in given }
  }

  /// This program again, with a hidden subcommand.
  public static func thisProgram(arguments: [String]) -> HostLaunch {
    HostLaunch(path: "/proc/self/exe", arguments: arguments)
  }

  /// What a camera process needs of this process's environment: libcamera's own settings
  /// (`LIBCAMERA_…`) and where the loader finds libraries; nothing that names a socket or a secret.
  ///
  /// Swift's backtraces are turned off: they would keep a process that crashed from ending.
  public static var inheritedEnvironment: [String: String] {
    var kept = ["SWIFT_BACKTRACE": "enable=no"]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1)
      if parts.count == 2, isKept(parts[0]) { kept[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return kept
  }

  private static func isKept(_ name: Substring) -> Bool {
    name.hasPrefix("LIBCAMERA_") || name == "LD_LIBRARY_PATH" || name == "TSAN_OPTIONS"
      || name == "ASAN_OPTIONS"
  }
}
