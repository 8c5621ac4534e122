package import API

/// The service's log as lines of text, without control characters.
package struct LogView {
  package init() {}

  /// Returns the text of a line: time, level, label, message and metadata.
  package func line(_ entry: LogEntry) -> String {
    let level = entry.level + String(repeating: " ", count: max(0, 8 - entry.level.count))
    let metadata = entry.metadata.sorted { $0.key < $1.key }
      .map { " \(PlainText.escaping($0.key))=\(PlainText.escaping($0.value))" }.joined()
    let (label, message) = (PlainText.escaping(entry.label), PlainText.escaping(entry.message))
    return
      "\(PlainText.escaping(entry.time))  \(PlainText.escaping(level))  \(label): \(message)\(metadata)"
  }

  /// Returns the notice of missed lines.
  package func line(_ missed: MissedEvents) -> String {
    missed.count.map { "-- \($0) lines were missed" } ?? "-- lines of an earlier run were missed"
  }
}
