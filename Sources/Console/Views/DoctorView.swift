package import API
import Devices

// The view of the doctor's findings: a paragraph for each, then a line that counts the verdicts.

extension DoctorReport: Presentable {
  private static let verdictWidth = 13
  private static let partWidth = 15

  package var blocks: [TextBlock] {
    let heading =
      "\(rig.map { "rig \($0), " } ?? "")platend \(version)"
      + (isServiceRunning ? "" : "; the service does not run, so that less can be checked")
    return [TextBlock.paragraph(heading)] + findings.map(Self.block) + [TextBlock.line(summary)]
  }

  /// Returns the verdict and the part, beside the observation, the code and the advice.
  ///
  /// The code is shown with the lights' signal for it.
  private static func block(_ finding: Finding) -> TextBlock {
    let subject = finding.subject.map { "\($0): " } ?? ""
    let texts = [subject + finding.seen, code(finding), finding.advice].compactMap { $0 }
    let verdict = word(finding.verdict)
    let pad = String(repeating: " ", count: verdictWidth - verdict.count)
    return .labeled(
      verdict + pad + finding.part.rawValue, texts, indent: verdictWidth + partWidth)
  }

  private static func code(_ finding: Finding) -> String? {
    guard let code = finding.code else { return nil }
    guard let light = finding.light else { return "code \(code)" }
    let shown = finding.lightCode.map { "lights show \($0)" } ?? "lights show it"
    return light == code ? "code \(code), \(shown)" : "code \(code), \(shown) (\(light))"
  }

  private var summary: String {
    let (faults, warnings) = (count(.fault), count(.warning))
    return [
      faults.counted("fault"), warnings.counted("warning"),
      "\(count(.ok)) in order", "\(count(.notChecked)) not checked",
    ].joined(separator: ", ")
  }

  private static func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .ok: "ok"
    case .notChecked: "not checked"
    case .warning: "warning"
    case .fault: "FAULT"
    }
  }
}
