/// The service's log.
package protocol LogSource: Sendable {
  /// Returns the kept lines that match a filter, the newest first.
  func entries(_ filter: LogFilter) async -> [LogEntry]

  /// Returns the kept lines, the oldest first, followed by each new line.
  ///
  /// A slow reader gets the newest lines. The API server calls this method once a run.
  func follow() async -> AsyncStream<LogEntry>
}
