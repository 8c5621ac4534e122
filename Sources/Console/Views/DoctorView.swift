package import API

/// The doctor's findings as lines for a terminal.
package struct DoctorView {
  private static let verdictWidth = 13
  private static let partWidth = 15

  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 60 or more.
  package init(width: Int = 80) {
    self.width = max(60, width)
  }

  /// Returns a paragraph for each finding, then a line that counts the verdicts.
  ///
  /// A paragraph has the verdict and the part, the observation, the code with the lights' signal
  /// for it, and the advice.
  package func lines(_ report: DoctorReport) -> [String] {
    let name = report.rig.map { "rig \($0), " } ?? ""
    let heading =
      "\(name)platend \(report.version)"
      + (report.isServiceRunning ? "" : "; the service does not run, so that less can be checked")
    return PlainText.wrapping(PlainText.escaping(heading), to: width)
      + report.findings.flatMap(lines) + [summary(report)]
  }

  private func lines(_ finding: DoctorReport.Finding) -> [String] {
    let subject = finding.subject.map { "\($0): " } ?? ""
    var texts = [subject + finding.seen]
    if let code = finding.code { texts.append(self.code(code, finding)) }
    if let advice = finding.advice { texts.append(advice) }
    let label = Self.padded(Self.word(finding.verdict), Self.verdictWidth) + finding.part.rawValue
    return PlainText.labeled(
      label, texts, indent: Self.verdictWidth + Self.partWidth, to: width)
  }

  private func code(_ code: String, _ finding: DoctorReport.Finding) -> String {
    guard let light = finding.light else { return "code \(code)" }
    let shown = finding.lightCode.map { "lights show \($0)" } ?? "lights show it"
    return light == code ? "code \(code), \(shown)" : "code \(code), \(shown) (\(light))"
  }

  private func summary(_ report: DoctorReport) -> String {
    let (faults, warnings) = (report.count(.fault), report.count(.warning))
    return [
      faults == 1 ? "1 fault" : "\(faults) faults",
      warnings == 1 ? "1 warning" : "\(warnings) warnings",
      "\(report.count(.ok)) in order", "\(report.count(.notChecked)) not checked",
    ].joined(separator: ", ")
  }

  private static func word(_ verdict: DoctorReport.Verdict) -> String {
    switch verdict {
    case .ok: "ok"
    case .notChecked: "not checked"
    case .warning: "warning"
    case .fault: "FAULT"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
