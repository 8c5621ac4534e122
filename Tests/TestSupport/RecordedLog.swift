import InMemoryLogging
package import Logging

/// A log that keeps its lines, so that a test can count them.
package struct RecordedLog: Sendable {
  /// A line of the log, with its metadata as text.
  package struct Line: Sendable {
    /// The line's level.
    package let level: Logger.Level
    /// The message.
    package let message: String
    /// The line's metadata.
    package let metadata: [String: String]
  }

  private let handler: InMemoryLogHandler

  /// Makes an empty log that takes lines of every level.
  package init() {
    var handler = InMemoryLogHandler()
    handler.logLevel = .trace
    self.handler = handler
  }

  /// A logger that writes to this log.
  package var logger: Logger { Logger(label: "test") { _ in handler } }

  /// The lines so far.
  package var lines: [Line] {
    handler.entries.map { entry in
      Line(
        level: entry.level, message: "\(entry.message)",
        metadata: entry.metadata.mapValues { "\($0)" })
    }
  }

  /// Returns the number of lines that hold a text; a line is `level: message metadata`.
  package func count(_ text: String) -> Int {
    handler.entries.count { "\($0.level): \($0.message) \($0.metadata)".contains(text) }
  }
}
