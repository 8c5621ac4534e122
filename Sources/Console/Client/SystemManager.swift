package import API
package import Devices
import Foundation

/// A client of systemd, for a rig whose service does not answer or cannot do the task itself.
///
/// systemctl asks polkit for the caller's permission and never prompts for a password. Actions are
/// written to the system's log, because the audit log belongs to the service.
package struct SystemManager: Sendable {
  /// The unit of the service.
  package static let unit = "platend.service"
  /// The program's path in Debian.
  package static let program = "/usr/bin/systemctl"
  /// The unit's properties to show, in this order.
  static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "ExecMainStatus", "NRestarts", "MainPID",
    "ActiveEnterTimestamp", "StatusText",
  ]

  private let program: String
  private let timeout: Duration

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - program: the path of systemctl(1).
  ///   - timeout: the time that showing the unit may take at most.
  package init(program: String = SystemManager.program, timeout: Duration = .seconds(5)) {
    self.program = program
    self.timeout = timeout
  }

  /// Returns the unit's properties by name; `nil` without systemd.
  package func unit() async -> [String: String]? {
    let arguments = ["show", Self.unit, "--no-pager"] + Self.properties.map { "--property=\($0)" }
    let run = LocalProgram(program, arguments, timeout: timeout)
    guard let outcome = try? await run.run(), outcome.status == 0 else { return nil }
    return Self.properties(String(decoding: outcome.output, as: UTF8.self))
  }

  /// Parses lines of `NAME=VALUE`; skips properties that were not requested.
  static func properties(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let equals = line.firstIndex(of: "=") else { return nil }
      let name = String(line[..<equals])
      return properties.contains(name)
        ? (name, String(line[line.index(after: equals)...].prefix(200))) : nil
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Returns systemctl's arguments for an ending; they never contain typed text.
  static func arguments(_ ending: EndingReport.Ending) -> [String] {
    switch ending {
    case .serviceRestart: ["--no-ask-password", "--no-block", "restart", unit]
    case .machineRestart: ["--no-ask-password", "reboot"]
    case .powerOff: ["--no-ask-password", "poweroff"]
    }
  }

  /// Returns whether systemd can be asked for an ending that the service has refused.
  ///
  /// systemd can help where the service is unable: the audit log cannot be written, or power-off is
  /// not configured or fails. A refusal for lack of permission, or at this moment only, cannot be
  /// bypassed. The machine around a simulated rig does not belong to the rig.
  ///
  /// - Parameter board: the kind of board in the status.
  package static func mayEnd(
    _ ending: EndingReport.Ending, after refusal: APIError, board: String
  ) -> Bool {
    guard board != "simulated" else { return false }
    switch refusal.code {
    case .unavailable: return true
    // systemd cannot restart a service that systemd did not start.
    case .unsupported: return ending != .serviceRestart
    default: return false
    }
  }

  /// Asks systemd for an ending.
  ///
  /// - Throws: ``Devices/LocalProgram/Failure`` with systemd's message and a remedy.
  package func end(_ ending: EndingReport.Ending) async throws(LocalProgram.Failure) {
    Self.note("user \(getuid()) asks systemd for \"\(ending.rawValue)\" without the service")
    let outcome = try await LocalProgram(program, Self.arguments(ending)).run()
    guard outcome.status != 0 else { return }
    throw LocalProgram.Failure(
      description: "systemd did not do it: "
        + "\(outcome.firstComplaint ?? "status \(outcome.status)"). "
        + "polkit/50-platen.rules lets members of the group platen-technician do it.")
  }

  /// Writes a line to the system's log (`vsyslog(3)`) under the facility for security messages.
  static func note(_ text: String) {
    "platenctl: \(text)".withCString { line in
      withVaList([line]) { vsyslog(Int32(LOG_AUTHPRIV | LOG_NOTICE), "%s", $0) }
    }
  }
}
