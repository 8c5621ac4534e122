package import API
package import Settings

// The views of the configuration file, its earlier texts and its keys.

extension ConfigurationReport: Presentable {
  package var blocks: [TextBlock] {
    let state =
      switch isRunning {
      case true?: "what the service runs with"
      case false? where !issues.isEmpty: "wrong; the service runs with an earlier text"
      case false?: "not what the service runs with; it holds from its next start"
      case nil: "the service does not run"
      }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.replacing("\t", with: "    "))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let heading = ["# \(path), \(state)", "# hash \(self.hash)"] + issues.map { "# wrong: \($0)" }
    return (heading + lines).map(TextBlock.line)
  }
}

extension ConfigurationHistory: Presentable {
  package var blocks: [TextBlock] {
    guard !entries.isEmpty else { return [.line("There are no earlier texts.")] }
    let name = { (entry: ConfigurationHistoryEntry) in
      entry.number == 0 ? "good" : "\(entry.number)"
    }
    let table = TextTable(
      [.right("number"), "put aside", .right("bytes"), "hash"],
      entries.map {
        [name($0), $0.time ?? "-", "\($0.bytes)", String($0.hash.prefix(12))]
      })
    return [TextBlock.table(table)]
      + entries.compactMap { entry in
        entry.problem.map { TextBlock.paragraph("\(name(entry)) is of no use: \($0)") }
      }
  }
}

extension ConfigurationChangeReport: Presentable {
  package var blocks: [TextBlock] {
    ((lines.isEmpty ? ["Nothing was changed."] : lines) + [note]).map(TextBlock.line)
  }
}

extension ConfigurationDifference: Presentable {
  package var blocks: [TextBlock] {
    (lines.isEmpty ? ["The file is the same."] : lines).map(TextBlock.line)
  }
}

extension ConfigurationCheckReport: Presentable {
  package var blocks: [TextBlock] {
    (issues.isEmpty ? ["in order"] : issues).map(TextBlock.line)
  }
}

extension ConfigurationKey: Presentable {
  package var blocks: [TextBlock] {
    let texts =
      [meaning, "\(self.type)\(range.map { ", \($0)" } ?? ""); default: \(standard)"]
      + (isReserved ? ["only set in the file itself"] : [])
    return [.line(path), .labeled("", texts, indent: 4)]
  }
}
