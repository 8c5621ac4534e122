import Logging
import Synchronization

/// A log that keeps its lines.
final class RecordedLog: Sendable {
  struct Line: Sendable {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  private let state = Mutex<[Line]>([])

  /// The lines so far.
  var lines: [Line] { state.withLock { $0 } }

  /// A logger that writes here, everything but `trace`.
  var logger: Logger {
    Logger(label: "tests", factory: { _ in Handler(log: self) })
  }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        level: event.level, message: "\(event.message)",
        metadata: (event.metadata ?? [:]).mapValues { "\($0)" })
      log.state.withLock { $0.append(line) }
    }
  }
}
