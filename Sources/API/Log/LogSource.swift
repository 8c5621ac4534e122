/// What the API needs of the service's log.
public protocol LogSource: Sendable {
  /// Lines that are kept, the newest first.
  func entries(_ filter: LogFilter) async -> [LogEntry]

  /// The lines that are kept, the oldest first, and then those that come; keeps the newest when the
  /// reader is slow.
  ///
  /// The API server calls this once a run.
  func follow() async -> AsyncStream<LogEntry>
}
