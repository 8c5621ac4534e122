public import API
import Foundation

/// systemd, asked by its own program, for a rig whose service does not answer or cannot do it.
///
/// It asks polkit whether the caller may; nobody is asked for a password. What is done is written to
/// the system's log, because the audit log is the service's.
public struct SystemManager: Sendable {
  /// The unit of the service.
  public static let unit = "platend.service"
  /// Where Debian has the program.
  public static let program = "/usr/bin/systemctl"
  /// What of the unit is shown, in this order.
  static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "ExecMainStatus", "NRestarts", "MainPID",
    "ActiveEnterTimestamp", "StatusText",
  ]

  private let program: String
  private let patience: Duration

  /// Makes a manager.
  ///
  /// - Parameters:
  ///   - program: the path of systemctl(1).
  ///   - patience: how long it may take to show the unit.
  public init(program: String = SystemManager.program, patience: Duration = .seconds(5)) {
    self.program = program
    self.patience = patience
  }

  /// The unit's properties by their names; `nil` where there is no systemd.
  public func unit() async -> [String: String]? {
    let arguments = ["show", Self.unit, "--no-pager"] + Self.properties.map { "--property=\($0)" }
    let run = LocalProgram(program, arguments, patience: patience)
    guard let outcome = try? await run.run(), outcome.status == 0 else { return nil }
    return Self.properties(String(decoding: outcome.output, as: UTF8.self))
  }

  /// Reads `NAME=VALUE`, a line each; what was not asked for is left out.
  static func properties(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let equals = line.firstIndex(of: "=") else { return nil }
      let name = String(line[..<equals])
      return properties.contains(name)
        ? (name, String(line[line.index(after: equals)...].prefix(200))) : nil
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The arguments that have systemd do something; never anything that was typed.
  static func arguments(_ ending: EndingReport.Ending) -> [String] {
    switch ending {
    case .serviceRestart: ["--no-ask-password", "--no-block", "restart", unit]
    case .machineRestart: ["--no-ask-password", "reboot"]
    case .powerOff: ["--no-ask-password", "poweroff"]
    }
  }

  /// Whether systemd can be asked for what the service has refused.
  ///
  /// It can where the service is not able to do it: nothing can be entered into its audit log, or
  /// nobody switches the machine off for it, because none is configured or that one fails. Who may
  /// not do it, or not now, may not do it past the service either, and the machine around a simulated
  /// rig is none of the rig's.
  ///
  /// - Parameter board: the board's kind, as the status has it.
  public static func mayEnd(
    _ ending: EndingReport.Ending, after refusal: APIError, board: String
  ) -> Bool {
    guard board != "simulated" else { return false }
    switch refusal.code {
    case .unavailable: return true
    // A service that was not started by systemd is none that systemd could start anew.
    case .unsupported: return ending != .serviceRestart
    default: return false
    }
  }

  /// Has systemd end something.
  ///
  /// - Throws: ``LocalProgram/Failure``, which says what systemd said and what would help.
  public func end(_ ending: EndingReport.Ending) async throws(LocalProgram.Failure) {
    Self.note("user \(getuid()) asks systemd for \"\(ending.rawValue)\" without the service")
    let outcome = try await LocalProgram(program, Self.arguments(ending)).run()
    guard outcome.status != 0 else { return }
    let complaint = outcome.complaint.split(separator: "\n").first.map(String.init)
    throw LocalProgram.Failure(
      description: "systemd did not do it: \(complaint ?? "status \(outcome.status)"). "
        + "polkit/50-platen.rules lets members of the group platen-technician do it.")
  }

  /// Writes a line to the system's log (`vsyslog(3)`), under the facility for who did what.
  static func note(_ text: String) {
    "platenctl: \(text)".withCString { line in
      withVaList([line]) { vsyslog(Int32(LOG_AUTHPRIV | LOG_NOTICE), "%s", $0) }
    }
  }
}
