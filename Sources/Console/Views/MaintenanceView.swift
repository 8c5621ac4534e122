package import API

/// Endings, the service's state and the audit log as lines for a terminal.
package struct MaintenanceView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the description of an ending, with the presses that are completed first.
  package func lines(_ report: EndingReport) -> [String] {
    let text =
      switch report.ending {
      case .serviceRestart: "The service stops and is restarted."
      case .machineRestart: "The service stops, then the machine reboots."
      case .powerOff: "The service stops, then the machine powers off."
      }
    let presses =
      report.pressesInFlight > 0
      ? " \(report.pressesInFlight) presses get their outcome before." : ""
    return PlainText.wrapping(text + presses, to: width)
  }

  /// Returns the service's state as reported by the service and by systemd.
  ///
  /// - Parameters:
  ///   - status: the service's status; `nil` if the service does not answer.
  ///   - unit: systemd's properties; `nil` without systemd.
  package func lines(_ status: RigStatus?, unit: [String: String]?) -> [String] {
    var rows: [(String, String)] = []
    if let status {
      rows = [
        ("service", "\(status.rig), platend \(status.version)"),
        ("runs for", Figures.span(seconds: status.uptimeSeconds)),
        ("readiness", status.readiness.summary),
      ]
    } else {
      rows = [("service", "does not answer")]
    }
    rows.append(("unit", Self.words(unit)))
    if let text = unit?["StatusText"], !text.isEmpty { rows.append(("says", text)) }
    return rows.flatMap { label, text in
      PlainText.wrapping(PlainText.escaping(text), to: width - 12).enumerated().map { index, part in
        let head = index == 0 ? label : ""
        return head + String(repeating: " ", count: 12 - head.count) + part
      }
    }
  }

  private static func words(_ unit: [String: String]?) -> String {
    guard let unit else { return "there is no systemd to ask" }
    guard unit["LoadState"] == "loaded" else { return "systemd does not have platend.service" }
    var words = "\(unit["ActiveState"] ?? "unknown") (\(unit["SubState"] ?? "unknown"))"
    if let since = unit["ActiveEnterTimestamp"], !since.isEmpty { words += " since \(since)" }
    if let count = unit["NRestarts"], count != "0" { words += ", restarted \(count) times" }
    if let result = unit["Result"], !result.isEmpty, result != "success" {
      words += ", ended with \"\(result)\" (status \(unit["ExecMainStatus"] ?? "unknown"))"
    }
    return words
  }

  /// Returns a table of the audit log.
  package func lines(_ entries: [AuditEntry]) -> [String] {
    var table = TextTable(columns: [
      .init("TIME"), .init("WHO"), .init("FROM"), .init("STAGE"),
      .init("STATUS", isRightAligned: true), .init("WHAT"),
    ])
    for entry in entries {
      let note = entry.note
      let caller = note.caller
      let who = caller.name ?? caller.userID.map { "\($0)" } ?? "-"
      let from = caller.address ?? caller.processID.map { "\(caller.from) \($0)" } ?? caller.from
      let time = entry.time.prefix(19).replacing("T", with: " ")
      let omitted = note.omitted.map { " (\($0) more)" } ?? ""
      table.add([
        time + (entry.trust == "synchronized" ? "" : "?"), who, from, note.stage.rawValue,
        note.status.map { "\($0)" } ?? "-", "\(note.method) \(note.path)\(omitted)",
      ])
    }
    return table.lines(width: width)
  }
}
