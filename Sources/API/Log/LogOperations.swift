extension Operations {
  /// Lines of the log.
  package static let log = Endpoint<LogFilter, LogEntryList>(
    "log", .get, "/v1/log", .read,
    "Lists the newest lines of the log of this run, the newest first.")

  /// The stream of log lines.
  package static let logEvents = Operation(
    id: "logEvents", method: .get, path: "/v1/log/events", permission: .read,
    summary: "Streams lines of the log as they come, or since the line in `Last-Event-ID`.",
    failures: [.tooManyListeners], parameters: LogFilter.streamParameters,
    answer: .media(
      "text/event-stream",
      "Server-sent events of the kind `log` with a LogEntry each. `missed` tells the number of "
        + "lost events (`count` is absent when the number is unknown)."))
}
