import CHostCalls
import Glibc

/// What a camera process has given up before it touches a camera.
///
/// None of it is a condition: what a kernel is too old for, or a supervisor does not permit, is left
/// out and said so.
public struct Confinement: Sendable, Hashable, Codable, CustomStringConvertible {
  /// It ends with the process that started it (`PR_SET_PDEATHSIG`; the end of the socket does it,
  /// too).
  public var diesWithParent = false
  /// It cannot get privileges by a program that it starts (`PR_SET_NO_NEW_PRIVS`, Linux 3.5).
  public var hasNoNewPrivileges = false
  /// It leaves no core file, neither in a directory nor with a collector (`RLIMIT_CORE`,
  /// `PR_SET_DUMPABLE`).
  public var leavesNoCore = false
  /// It has no capabilities (`capset`).
  public var hasNoCapabilities = false
  /// The version of Landlock that keeps it to its files (Linux 5.13, and Landlock among the security
  /// modules in use); 0 when none does.
  public var landlockVersion = 0

  /// What was given up, in words.
  public var description: String {
    let parts = [
      diesWithParent ? "dies with its parent" : nil,
      hasNoNewPrivileges ? "no new privileges" : nil,
      leavesNoCore ? "no core file" : nil,
      hasNoCapabilities ? "no capabilities" : nil,
      landlockVersion > 0 ? "Landlock \(landlockVersion)" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// The environment variable in which a confined program is told what it has been confined by.
  private static let marker = "PLATEN_CONFINEMENT"

  /// Confines this process; must be called on its first thread, before anything else is done.
  ///
  /// Capabilities and Landlock belong to a thread, and only what it starts afterwards takes them
  /// over. Where there are other threads already, because a library starts some as it is loaded
  /// (LTTng's, which Debian's libcamera brings), this thread confines itself and starts the program
  /// again in this process (`execve`): then all threads are confined.
  public static func apply() -> Confinement {
    if let text = getenv(marker) {
      var confinement = Confinement(marking: String(cString: text))
      unsetenv(marker)
      confinement.confineProcess()
      return confinement
    }
    var confinement = Confinement()
    confinement.confineProcess()
    let isAlone = threadCount == 1
    // While there are privileges: where PR_SET_NO_NEW_PRIVS is missing, Landlock needs one.
    confinement.landlockVersion = LandlockRules.camera.restrict()
    confinement.hasNoCapabilities = CHostCalls_dropCapabilities() == 0
    if isAlone { return confinement }
    setenv(marker, confinement.marking, 1)
    startAgain()
    // It could not be started again: the other threads have what they had.
    confinement.landlockVersion = 0
    confinement.hasNoCapabilities = false
    return confinement
  }

  /// What belongs to the whole process, or is lost when a program is started.
  private mutating func confineProcess() {
    diesWithParent = CHostCalls_dieWithParent() == 0
    hasNoNewPrivileges = CHostCalls_getNoNewPrivileges() == 0
    leavesNoCore = CHostCalls_leaveNoCore() == 0
  }

  private var marking: String { "\(hasNoCapabilities ? 1 : 0) \(landlockVersion)" }

  private init(marking: String) {
    let numbers = marking.split(separator: " ").map { Int($0) ?? 0 }
    guard numbers.count == 2 else { return }
    hasNoCapabilities = numbers[0] == 1
    landlockVersion = numbers[1]
  }

  /// Nothing given up.
  init() {}

  private static func startAgain() {
    var arguments = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    for text in arguments { free(text) }
  }

  /// How many threads this process has (`/proc/self/task`); 0 when that cannot be read.
  private static var threadCount: Int {
    guard let directory = opendir("/proc/self/task") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != 46 { count += 1 }  // a full stop
    }
    return count
  }
}
