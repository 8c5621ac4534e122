import CHostCalls
import Devices
import Glibc

/// The rights that a process has given up before it uses a camera or a camera's frames.
///
/// No part is required. A part that an old kernel lacks or a supervisor forbids is skipped, and the
/// value reports so.
package struct Confinement: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Whether the process ends with its parent (`PR_SET_PDEATHSIG`).
  ///
  /// The end of the socket has the same effect.
  package var diesWithParent = false
  /// Whether programs that the process starts get no privileges (`PR_SET_NO_NEW_PRIVS`, Linux 3.5).
  package var hasNoNewPrivileges = false
  /// Whether the process leaves no core file in a directory or a collector.
  ///
  /// The means are `RLIMIT_CORE` and `PR_SET_DUMPABLE`.
  package var leavesNoCore = false
  /// Whether the process has no capabilities (`capset`).
  package var hasNoCapabilities = false
  /// The version of Landlock that restricts the process to its files; 0 for no restriction.
  ///
  /// Landlock needs Linux 5.13 and must be among the security modules in use.
  package var landlockVersion = 0
  /// Whether the kernel refuses calls for networks and other processes (seccomp, Linux 3.17).
  package var hasCallFilter = false

  /// The given-up rights in words.
  package var description: String {
    let parts = [
      diesWithParent ? "dies with its parent" : nil,
      hasNoNewPrivileges ? "no new privileges" : nil,
      leavesNoCore ? "no core file" : nil,
      hasNoCapabilities ? "no capabilities" : nil,
      landlockVersion > 0 ? "Landlock \(landlockVersion)" : nil,
      hasCallFilter ? "a filter of system calls" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// The programs that confine themselves, each to what it needs.
  package enum Program: Sendable {
    /// The process that has the cameras.
    case camera
    /// The process that records, which gets its files and frames from the service.
    case recorder(hasSound: Bool)

    fileprivate var rules: LandlockRules {
      switch self {
      case .camera: .camera
      case .recorder(let hasSound): .recorder(hasSound: hasSound)
      }
    }

    /// Whether the program opens sockets of this machine, for udev's news and loggers.
    fileprivate var opensLocalSockets: Bool {
      if case .camera = self { true } else { false }
    }
  }

  /// The environment variable that passes the confinement to the restarted program.
  private static let marker = "PLATEN_CONFINEMENT"

  /// Confines this process; must be called first, on the process's first thread.
  ///
  /// Capabilities and Landlock belong to a thread, and only its later threads and programs inherit
  /// them. Other threads may exist already, because a library starts some as it is loaded (LTTng's,
  /// which Debian's libcamera brings). Then this thread confines itself and restarts the program in
  /// this process (`execve`), so that all threads are confined.
  ///
  /// - Parameter arguments: the arguments of a restart, the name first.
  package static func apply(
    to program: Program = .camera, arguments: [String] = CommandLine.arguments
  ) -> Confinement {
    if let text = getenv(marker) {
      var confinement = Confinement(marking: String(cString: text))
      unsetenv(marker)
      confinement.confineProcess()
      confinement.filterCalls(of: program)
      return confinement
    }
    var confinement = Confinement()
    confinement.confineProcess()
    let isAlone = threadCount == 1
    // Landlock comes before the loss of capabilities: without PR_SET_NO_NEW_PRIVS it needs one.
    confinement.landlockVersion = program.rules.restrict()
    confinement.hasNoCapabilities = CHostCalls_dropCapabilities() == 0
    if isAlone {
      confinement.filterCalls(of: program)
      return confinement
    }
    setenv(marker, confinement.marking, 1)
    startAgain(with: arguments)
    // The restart has failed, so the other threads keep their rights.
    confinement.landlockVersion = 0
    confinement.hasNoCapabilities = false
    confinement.filterCalls(of: program)
    return confinement
  }

  /// Applies the parts that belong to the whole process or that the start of a program resets.
  private mutating func confineProcess() {
    diesWithParent = CHostCalls_dieWithParent() == 0
    hasNoNewPrivileges = CHostCalls_getNoNewPrivileges() == 0
    leavesNoCore = CHostCalls_leaveNoCore() == 0
  }

  /// Applies the filter, which holds for all threads of the process.
  private mutating func filterCalls(of program: Program) {
    hasCallFilter = CHostCalls_filterCalls(program.opensLocalSockets ? 1 : 0) == 0
  }

  private var marking: String { "\(hasNoCapabilities ? 1 : 0) \(landlockVersion)" }

  private init(marking: String) {
    let numbers = marking.split(separator: " ").map { Int($0) ?? 0 }
    guard numbers.count == 2 else { return }
    hasNoCapabilities = numbers[0] == 1
    landlockVersion = numbers[1]
  }

  init() {}

  private static func startAgain(with arguments: [String]) {
    var arguments = arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    for text in arguments { free(text) }
  }

  /// The number of threads of this process (`/proc/self/task`); 0 when it cannot be read.
  static var threadCount: Int {
    (try? SystemCalls.names(in: "/proc/self/task").count) ?? 0
  }
}
