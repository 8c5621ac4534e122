/// The view of a test's verdict and part, of the observations and of the next steps.
extension TestResult: Presentable {
  package var blocks: [TextBlock] {
    let subject = self.subject.map { " \($0)" } ?? ""
    let code = self.code.map { ", code \($0)" } ?? ""
    let heading = "\(part.rawValue)\(subject)\(code) (\(Figures.decimal(seconds, 1)) s)"
    return [
      .labeled(verdict.word, [heading], indent: 9), .labeled("", seen, indent: 9),
      .labeled("  next:", advice, indent: 9),
    ]
  }
}

/// The results of several tests: a row for each, and a line that counts them.
package struct TestSummary: Presentable {
  private let results: [TestResult]

  package init(_ results: [TestResult]) { self.results = results }

  package var blocks: [TextBlock] {
    let rows = results.map {
      [
        $0.verdict.word, $0.part.rawValue, $0.subject ?? "-", Figures.decimal($0.seconds, 1),
        $0.code ?? $0.seen.first ?? "-",
      ]
    }
    let count = { (verdict: TestResult.Verdict) in results.count { $0.verdict == verdict } }
    return [
      .table(TextTable(["result", "part", "of", .right("s"), "code or first thing seen"], rows)),
      .line("\(count(.passed)) passed, \(count(.failed)) failed, \(count(.skipped)) skipped"),
    ]
  }
}

extension TestResult.Verdict {
  fileprivate var word: String {
    switch self {
    case .passed: "PASS"
    case .failed: "FAIL"
    case .skipped: "SKIPPED"
    }
  }
}
