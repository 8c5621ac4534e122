package import API

/// The spool and its pictures as lines for a terminal.
package struct SpoolView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns.
  package init(width: Int = 80) {
    self.width = width
  }

  /// Returns a table with a row for each picture.
  package func lines(_ items: [SpoolItemReport]) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("press", isRightAligned: true),
      TextTable.Column("state"),
      TextTable.Column("size", isRightAligned: true),
      TextTable.Column("deliveries"),
      TextTable.Column("picture"),
    ])
    for item in items {
      let deliveries = item.deliveries.map { delivery in
        delivery.state == "pending" && delivery.attempts > 0
          ? "\(delivery.target) failed \(delivery.attempts)×"
          : "\(delivery.target) \(delivery.state)"
      }
      table.add([
        item.press.map { "\($0)" } ?? "-", item.state, Figures.bytes(item.bytes),
        deliveries.joined(separator: ", "), item.id,
      ])
    }
    return table.lines(width: width)
  }

  /// Returns all facts about a picture.
  package func lines(_ item: SpoolItemReport) -> [String] {
    var rows = [
      ("picture", item.id), ("press", item.press.map { "\($0)" } ?? "unknown"),
      ("state", item.state + (item.reason.map { ", \($0)" } ?? "")),
      ("file", "\(item.path), \(item.bytes) bytes"), ("SHA-256", item.sha256),
      ("taken", "\(item.captured.time ?? "at an unknown time") (\(item.captured.trust))"),
      ("name", item.remoteName),
    ]
    if let original = item.duplicateOf { rows.append(("same as", original)) }
    if let similar = item.nearDuplicateOf { rows.append(("looks like", similar)) }
    for delivery in item.deliveries {
      rows.append(
        ("to", "\(delivery.target): \(delivery.state), \(delivery.attempts) attempts failed"))
      if let detail = delivery.detail { rows.append(("", detail)) }
      if let receipt = delivery.receipt {
        let duplicate = receipt.duplicate ? ", had it already" : ""
        rows.append(("", "receipt \(receipt.status) \(receipt.url ?? "")\(duplicate)"))
        if let result = receipt.result { rows.append(("", "result \(result)")) }
      }
    }
    return LabeledRows(rows).lines(width: width)
  }

  /// Returns the statistics.
  package func lines(_ statistics: SpoolStatisticsReport) -> [String] {
    var rows = [("spool", statistics.directory)]
    for state in statistics.states {
      rows.append((state.state, "\(state.items), \(Figures.bytes(state.bytes))"))
    }
    for target in statistics.targets {
      let gone = target.isConfigured ? "" : ", not in the configuration any more"
      rows.append(
        ("to \(target.target)", "\(target.pending) waiting, \(target.parked) parked\(gone)"))
    }
    if let oldest = statistics.oldestWaiting {
      let age = statistics.oldestWaitingSeconds.map { " for \(Figures.span(seconds: $0))" }
      rows.append(("waits", "\(oldest)\(age ?? " since an earlier boot")"))
    }
    rows.append(
      (
        "free",
        "\(Figures.bytes(statistics.freeBytes)), \(Figures.bytes(statistics.minimumFreeBytes)) "
          + "of it stay free, ballast \(statistics.hasBallast ? "in place" : "used")"
      ))
    for event in statistics.audit {
      rows.append(
        (
          "event",
          [event.time ?? "at an unknown time", event.event, event.object, event.detail ?? ""]
            .joined(separator: " ")
        ))
    }
    return LabeledRows(rows).lines(width: width)
  }

  /// Returns the findings of a verification.
  package func lines(_ report: SpoolVerificationReport) -> [String] {
    let summary =
      "\(report.rows) rows and \(report.files) files compared, "
      + "\(Figures.bytes(report.hashedBytes)) hashed, \(report.findings.count + report.unlisted) findings"
    let findings = report.findings.flatMap { finding in
      PlainText.wrapping(
        PlainText.escaping(
          "\(finding.object) \(finding.problem); "
            + "\(finding.isRepaired ? "repaired" : "a repair would"): \(finding.repair)"), to: width
      )
    }
    return findings + [summary]
  }

  /// Returns the outcome for a picture that was copied without the service.
  package func line(_ report: SpoolCopyReport) -> String {
    let outcome =
      switch report.outcome {
      case .copied: "copied, \(Figures.bytes(report.bytes))"
      case .unchecked: "copied, \(Figures.bytes(report.bytes)), not compared: it has no sidecar"
      case .doubtful:
        "copied, \(Figures.bytes(report.bytes)), not compared: its sidecar cannot be used"
      case .present: "was there already"
      case .failed: "could not be copied"
      }
    return "\(PlainText.escaping(report.picture)) \(outcome)"
  }

  /// Returns the numbers of pictures that were copied without the service.
  package func lines(_ summary: SpoolCopySummary) -> [String] {
    let sum =
      "\(summary.copied) pictures copied, \(summary.present) were there already"
      + (summary.failed > 0 ? ", \(summary.failed) could not be copied" : "")
    let unchecked =
      summary.unchecked > 0
      ? ["\(summary.unchecked) of them have no sidecar, so that nothing says what they should be."]
      : []
    let doubtful =
      summary.doubtful > 0
      ? ["\(summary.doubtful) of them have a sidecar that cannot be used, as was said above."] : []
    let unknown = "Without the index nobody knows which of them were delivered already."
    return [sum] + (unchecked + doubtful + [unknown]).flatMap { PlainText.wrapping($0, to: width) }
  }
}
