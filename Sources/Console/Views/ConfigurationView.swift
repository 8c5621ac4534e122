package import API
package import Settings

/// The configuration file, its earlier texts and its keys as lines for a terminal.
package struct ConfigurationView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the text after a heading with its path, state and problems.
  package func lines(_ report: ConfigurationReport) -> [String] {
    let state =
      switch report.isRunning {
      case true?: "what the service runs with"
      case false? where !report.issues.isEmpty: "wrong; the service runs with an earlier text"
      case false?: "not what the service runs with; it holds from its next start"
      case nil: "the service does not run"
      }
    let heading = ["# \(report.path), \(state)", "# hash \(report.hash)"]
    let issues = report.issues.map { "# wrong: \($0)" }
    return (heading + issues).map(PlainText.escaping) + text(report.text)
  }

  /// Returns a text unchanged, except that control characters are escaped.
  private func text(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      PlainText.escaping(String($0.replacing("\t", with: "    ")))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Returns the earlier texts, one a line.
  package func lines(_ history: ConfigurationHistory) -> [String] {
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

  /// Returns the changes, and a note on when they take effect.
  package func lines(_ report: ConfigurationChangeReport) -> [String] {
    let lines = report.lines.isEmpty ? ["Nothing was changed."] : report.lines
    return (lines + [report.note]).map(PlainText.escaping)
  }

  /// Returns the changes that a rollback to an earlier text would make.
  package func lines(_ difference: ConfigurationDifference) -> [String] {
    difference.lines.isEmpty
      ? ["The file is the same."] : difference.lines.map(PlainText.escaping)
  }

  /// Returns the problems in a text.
  package func lines(_ report: ConfigurationCheckReport) -> [String] {
    report.issues.isEmpty ? ["in order"] : report.issues.map(PlainText.escaping)
  }

  /// Returns a key and its meaning, with its type, range and default below.
  package func lines(_ key: ConfigurationKey) -> [String] {
    let range = key.range.map { ", \($0)" } ?? ""
    let texts =
      [key.meaning, "\(key.type)\(range); default: \(key.standard)"]
      + (key.isReserved ? ["only set in the file itself"] : [])
    return [key.path]
      + texts.flatMap { PlainText.wrapping($0, to: width - 4) }.map { "    \($0)" }
  }
}
