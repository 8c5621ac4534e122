/// The results of tests as lines for a terminal.
package struct TestView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the verdict and the part, the observations and the next steps.
  package func lines(_ result: TestResult) -> [String] {
    let subject = result.subject.map { " \($0)" } ?? ""
    let code = result.code.map { ", code \($0)" } ?? ""
    let heading =
      "\(result.part.rawValue)\(subject)\(code) (\(Figures.decimal(result.seconds, 1)) s)"
    return lines(Self.word(result.verdict), [heading]) + lines("", result.seen)
      + lines("  next:", result.advice)
  }

  /// Returns a table with a row for each result, and a line that counts them.
  package func summary(_ results: [TestResult]) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("result"), TextTable.Column("part"), TextTable.Column("of"),
      TextTable.Column("s", isRightAligned: true), TextTable.Column("code or first thing seen"),
    ])
    for result in results {
      table.add([
        Self.word(result.verdict), result.part.rawValue, result.subject ?? "-",
        Figures.decimal(result.seconds, 1), result.code ?? result.seen.first ?? "-",
      ])
    }
    let count = { (verdict: TestResult.Verdict) in results.count { $0.verdict == verdict } }
    return table.lines(width: width) + [
      "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.skipped)) skipped"
    ]
  }

  private static func word(_ verdict: TestResult.Verdict) -> String {
    switch verdict {
    case .passed: "PASS"
    case .failed: "FAIL"
    case .skipped: "SKIPPED"
    }
  }

  private func lines(_ label: String, _ texts: [String]) -> [String] {
    PlainText.labeled(label, texts, indent: 9, to: width)
  }
}
