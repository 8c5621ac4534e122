import InMemoryLogging
public import Logging

/// A log that keeps its lines, so that a test can count them.
public struct RecordedLog: Sendable {
  /// A line of the log, its metadata as text.
  public struct Line: Sendable {
    /// How grave it is.
    public let level: Logger.Level
    /// The message.
    public let message: String
    /// What was said besides.
    public let metadata: [String: String]
  }

  private let handler: InMemoryLogHandler

  /// Makes an empty log that takes lines of every level.
  public init() {
    var handler = InMemoryLogHandler()
    handler.logLevel = .trace
    self.handler = handler
  }

  /// A logger that writes here.
  public var logger: Logger { Logger(label: "test") { _ in handler } }

  /// The lines so far.
  public var lines: [Line] {
    handler.entries.map { entry in
      Line(
        level: entry.level, message: "\(entry.message)",
        metadata: entry.metadata.mapValues { "\($0)" })
    }
  }

  /// How many lines hold a text in their message or metadata; the level comes first in a line.
  public func count(_ text: String) -> Int {
    handler.entries.count { "\($0.level): \($0.message) \($0.metadata)".contains(text) }
  }
}
