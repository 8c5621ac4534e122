public import API

/// The configuration file, its earlier texts and its keys as lines for a terminal.
public struct ConfigurationView {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The text, below what is to be known of it.
  public func lines(_ report: ConfigurationReport) -> [String] {
    let state =
      switch report.isRunning {
      case true?: "what the service runs with"
      case false?: "not what the service runs with; it holds from its next start"
      case nil: "the service does not run"
      }
    let heading = ["# \(report.path), \(state)", "# hash \(report.hash)"]
    let issues = report.issues.map { "# wrong: \($0)" }
    return (heading + issues).map(PlainText.escaping) + text(report.text)
  }

  /// A text as it is; only what controls a terminal is escaped.
  private func text(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      PlainText.escaping(String($0.replacing("\t", with: "    ")))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The earlier texts, one a line.
  public func lines(_ history: ConfigurationHistory) -> [String] {
    guard !history.entries.isEmpty else { return ["There are no earlier texts."] }
    var table = TextTable(columns: [
      .init("number", isRightAligned: true), .init("put aside"),
      .init("bytes", isRightAligned: true), .init("hash"),
    ])
    for entry in history.entries {
      table.add([
        entry.number == 0 ? "good" : "\(entry.number)", entry.time ?? "-", "\(entry.bytes)",
        String(entry.hash.prefix(12)),
      ])
    }
    let damaged = history.entries.compactMap { entry in
      entry.problem.map { problem in
        (entry.number == 0 ? "good" : "\(entry.number)") + " is of no use: \(problem)"
      }
    }
    return table.lines(width: width)
      + damaged.flatMap { PlainText.wrapping(PlainText.escaping($0), to: width) }
  }

  /// What was changed, and when it holds.
  public func lines(_ report: ConfigurationChangeReport) -> [String] {
    let lines = report.lines.isEmpty ? ["Nothing was changed."] : report.lines
    return (lines + [report.note]).map(PlainText.escaping)
  }

  /// What a return to an earlier text would change.
  public func lines(_ difference: ConfigurationDifference) -> [String] {
    difference.lines.isEmpty
      ? ["The file is the same."] : difference.lines.map(PlainText.escaping)
  }

  /// What is wrong in a text.
  public func lines(_ report: ConfigurationCheckReport) -> [String] {
    report.issues.isEmpty ? ["in order"] : report.issues.map(PlainText.escaping)
  }

  /// A key: what it means, then type, range and default below.
  public func lines(_ key: ConfigurationKey) -> [String] {
    let range = key.range.map { ", \($0)" } ?? ""
    let texts = [key.meaning, "\(key.type)\(range); default: \(key.standard)"]
    return [key.path]
      + texts.flatMap { PlainText.wrapping($0, to: width - 4) }.map { "    \($0)" }
  }
}
