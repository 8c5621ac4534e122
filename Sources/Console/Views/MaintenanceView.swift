package import API
import Devices

/// The view of an ending, with the presses that are completed first.
extension EndingReport: Presentable {
  package var blocks: [TextBlock] {
    let text =
      switch ending {
      case .serviceRestart: "The service stops and is restarted."
      case .machineRestart: "The service stops, then the machine reboots."
      case .powerOff: "The service stops, then the machine powers off."
      }
    let presses =
      pressesInFlight > 0
      ? " \(pressesInFlight.counted("press gets its", "presses get their")) outcome before." : ""
    return [.paragraph(text + presses)]
  }
}

/// The service's state as reported by the service and by systemd.
package struct ServiceState: Encodable, Presentable {
  private let isAnswering: Bool
  private let rig: String?
  private let version: String?
  private let uptimeSeconds: Double?
  private let readiness: ReadinessReport?
  private let unit: [String: String]?

  /// Gathers the facts about the service.
  ///
  /// - Parameters:
  ///   - status: the service's status; `nil` if the service does not answer.
  ///   - unit: systemd's properties; `nil` without systemd.
  package init(_ status: RigStatus?, unit: [String: String]?) {
    isAnswering = status != nil
    rig = status?.rig
    version = status?.version
    uptimeSeconds = status?.uptimeSeconds
    readiness = status?.readiness
    self.unit = unit
  }

  package var blocks: [TextBlock] {
    var rows = [("service", "does not answer")]
    if let rig, let version, let uptimeSeconds, let readiness {
      rows = [
        ("service", "\(rig), platend \(version)"),
        ("runs for", Figures.span(seconds: uptimeSeconds)), ("readiness", readiness.summary),
      ]
    }
    rows.append(("unit", words))
    if let text = unit?["StatusText"], !text.isEmpty { rows.append(("says", text)) }
    return rows.map { TextBlock.labeled($0, [$1], indent: 12) }
  }

  private var words: String {
    guard let unit else { return "there is no systemd to ask" }
    guard unit["LoadState"] == "loaded" else { return "systemd does not have platend.service" }
    var words = "\(unit["ActiveState"] ?? "unknown") (\(unit["SubState"] ?? "unknown"))"
    if let since = unit["ActiveEnterTimestamp"], !since.isEmpty { words += " since \(since)" }
    if let count = unit["NRestarts"].flatMap({ Int($0) }), count > 0 {
      words += ", restarted \(count.counted("time"))"
    }
    if let result = unit["Result"], !result.isEmpty, result != "success" {
      words += ", ended with \"\(result)\" (status \(unit["ExecMainStatus"] ?? "unknown"))"
    }
    return words
  }
}

/// The view of the audit log.
extension AuditEntryList: Presentable {
  package var blocks: [TextBlock] {
    let rows = entries.map { entry -> [String] in
      let note = entry.note
      let caller = note.caller
      let who = caller.name ?? caller.userID.map { "\($0)" } ?? "-"
      let from = caller.address ?? caller.processID.map { "\(caller.from) \($0)" } ?? caller.from
      let time = entry.time.prefix(19).replacing("T", with: " ")
      let omitted = note.omitted.map { " (\($0) more)" } ?? ""
      return [
        time + (entry.trust.value == .synchronized ? "" : "?"), who, from, note.stage.rawValue,
        note.status.map { "\($0)" } ?? "-", "\(note.method) \(note.path)\(omitted)",
      ]
    }
    return [
      .table(TextTable(["TIME", "WHO", "FROM", "STAGE", .right("STATUS"), "WHAT"], rows))
    ]
  }
}
