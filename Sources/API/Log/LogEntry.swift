/// A line of the service's log.
package struct LogEntry: NumberedEvent, Codable {
  /// The line's number in this run of the service: 1 for the first, then without gaps.
  package let id: UInt64
  /// The wall clock's time of the line, ISO 8601 in UTC with milliseconds.
  package let time: String
  /// The time of the line, in nanoseconds of `CLOCK_MONOTONIC`.
  package let timeNanoseconds: Int64
  /// The severity: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
  package let level: String
  /// The part of the service that logged the line.
  package let label: String
  /// The message, always in the same words.
  package let message: String
  /// The particulars, for example `camera.id`.
  package let metadata: [String: String]

  /// The name of the event that carries a line.
  package var name: String { "log" }

  /// The approximate memory for the line.
  package var bytes: Int {
    metadata.reduce(128 + label.utf8.count + message.utf8.count) { bytes, pair in
      bytes + 32 + pair.key.utf8.count + pair.value.utf8.count
    }
  }

  package init(
    id: UInt64, time: String, timeNanoseconds: Int64, level: String, label: String,
    message: String, metadata: [String: String] = [:]
  ) {
    self.id = id
    self.time = time
    self.timeNanoseconds = timeNanoseconds
    self.level = level
    self.label = label
    self.message = message
    self.metadata = metadata
  }
}

/// Lines of the log, the newest first: the answer to `GET /v1/log`.
package struct LogEntryList: Sendable, Hashable, Codable {
  /// The run of the service.
  ///
  /// A run, a hyphen and a line's number make the ID from which `GET /v1/log/events` continues.
  package let run: String
  /// The lines, the newest first.
  package let entries: [LogEntry]
}
