import Logging
import Synchronization

/// A log that keeps its lines, so that a test can count them.
final class RecordedLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// A logger that writes here, of every level.
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  /// How many lines hold a text in their message or metadata; the level comes first in a line.
  func count(_ text: String) -> Int {
    lines.withLock { $0.count { $0.contains(text) } }
  }

  private func append(_ line: String) {
    lines.withLock { $0.append(line) }
  }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    func log(event: LogEvent) {
      log.append("\(event.level): \(event.message) \(event.metadata ?? [:])")
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}
