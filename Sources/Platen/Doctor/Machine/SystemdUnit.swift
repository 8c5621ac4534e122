import Foundation

/// What systemd knows of the service's unit (`systemctl show`).
struct SystemdUnit: Sendable, Hashable {
  /// What is asked of systemd, in this order.
  static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "ExecMainCode", "ExecMainStatus", "NRestarts",
  ]

  /// The arguments with which `systemctl` is asked; never anything that was typed.
  static let arguments =
    ["show", "platend.service"] + properties.map { "--property=\($0)" } + ["--no-pager"]

  private let values: [String: String]

  /// Reads what `systemctl show` prints: `NAME=VALUE`, a line each.
  init(_ text: String) {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let equals = line.firstIndex(of: "=") else { return nil }
      let name = String(line[..<equals])
      return Self.properties.contains(name)
        ? (name, String(line[line.index(after: equals)...].prefix(80))) : nil
    }
    values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Whether systemd has the unit at all.
  var isKnown: Bool { values["LoadState"] == "loaded" }
  /// How often systemd has started it anew; 0 when that is not known.
  var restarts: Int { values["NRestarts"].flatMap { Int($0) } ?? 0 }
  /// The exit status of the last run; `nil` when it did not exit by itself.
  var exitStatus: Int? {
    values["ExecMainCode"] == "1" ? values["ExecMainStatus"].flatMap { Int($0) } : nil
  }

  /// How the unit is and how it ended the last time, in words.
  var description: String {
    let state = values["ActiveState"] ?? "unknown"
    var words = "systemd has it \(state)"
    if let sub = values["SubState"], sub != state { words += " (\(sub))" }
    if let end { words += "; it \(end)" }
    if restarts > 0 { words += "; it was started anew \(restarts) times" }
    return words
  }

  /// How it ended the last time; `nil` when that is not known or it never did.
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

  /// Asks systemd; `nil` where there is none, or where it does not answer within two seconds.
  ///
  /// It runs `systemctl` and blocks until that has ended.
  static func show() -> SystemdUnit? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/systemctl")
    process.arguments = arguments
    process.environment = ["LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { return nil }
    let late = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: late)
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    late.cancel()
    guard process.terminationStatus == 0 else { return nil }
    return SystemdUnit(String(decoding: data, as: UTF8.self))
  }
}
