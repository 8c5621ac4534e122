import Devices

/// The state of the service's unit, as systemd reports it (`systemctl show`).
struct SystemdUnit: Sendable, Hashable {
  /// The requested properties, in this order.
  static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "ExecMainCode", "ExecMainStatus", "NRestarts",
  ]

  /// The arguments of `systemctl`; they never contain typed text.
  static let arguments =
    ["show", "platend.service"] + properties.map { "--property=\($0)" } + ["--no-pager"]

  private let values: [String: String]

  /// Reads the output of `systemctl show`: `NAME=VALUE` on each line.
  init(_ text: String) {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let equals = line.firstIndex(of: "=") else { return nil }
      let name = String(line[..<equals])
      return Self.properties.contains(name)
        ? (name, String(line[line.index(after: equals)...].prefix(80))) : nil
    }
    values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Whether systemd knows the unit.
  var isKnown: Bool { values["LoadState"] == "loaded" }
  /// The number of restarts by systemd; 0 when unknown.
  var restarts: Int { values["NRestarts"].flatMap { Int($0) } ?? 0 }
  /// The exit status of the last run; `nil` when the process did not exit by itself.
  var exitStatus: Int? {
    values["ExecMainCode"] == "1" ? values["ExecMainStatus"].flatMap { Int($0) } : nil
  }

  /// The unit's state and its last end, in words.
  var description: String {
    let state = values["ActiveState"] ?? "unknown"
    var words = "systemd has it \(state)"
    if let sub = values["SubState"], sub != state { words += " (\(sub))" }
    if let end { words += "; it \(end)" }
    if restarts > 0 { words += "; it was restarted \(restarts.counted("time"))" }
    return words
  }

  /// The unit's last end; `nil` when it is unknown or the unit never ended.
  private var end: String? {
    switch values["Result"] {
    case nil, "": nil
    case "success": values["ActiveState"] == "inactive" ? "was stopped" : nil
    case "exit-code": exit
    case "watchdog": "was ended by the watchdog because it hung"
    case "oom-kill": "was ended because the machine had no memory left"
    case "signal", "core-dump":
      "was ended by signal \(values["ExecMainStatus"] ?? "?")"
    case "timeout": "did not start or stop in time"
    case let other?: "ended with \"\(other)\""
    }
  }

  private var exit: String {
    switch exitStatus {
    case 78: "ended because its configuration is wrong (status 78)"
    case let status?: "ended with status \(status)"
    case nil: "ended with an error"
    }
  }

  /// Asks systemd; returns `nil` if systemd is missing or does not answer within two seconds.
  static func show() async -> SystemdUnit? {
    let program = LocalProgram("/usr/bin/systemctl", arguments, timeout: .seconds(2))
    guard let outcome = try? await program.run(), outcome.status == 0 else { return nil }
    return SystemdUnit(String(decoding: outcome.output, as: UTF8.self))
  }
}
