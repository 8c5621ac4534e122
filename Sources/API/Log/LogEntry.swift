/// A line of the service's log.
public struct LogEntry: NumberedEvent, Codable {
  /// The line's number in this run of the service: 1 for the first, then without gaps.
  public let id: UInt64
  /// When it was logged by the wall clock, ISO 8601 in UTC with milliseconds.
  public let time: String
  /// When it was logged, in nanoseconds of `CLOCK_MONOTONIC`.
  public let timeNanoseconds: Int64
  /// How severe it is: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
  public let level: String
  /// The part of the service that logged it.
  public let label: String
  /// What happened, always in the same words.
  public let message: String
  /// The particulars, for example `camera.id`.
  public let metadata: [String: String]

  /// The name of the event that carries a line.
  public var name: String { "log" }

  /// Makes a line.
  public init(
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
public struct LogEntryList: Sendable, Hashable, Codable {
  /// Which run of the service; a run and a line's number, with a hyphen, are where
  /// `GET /v1/log/events` goes on from.
  public let run: String
  /// The lines, the newest first.
  public let entries: [LogEntry]

  /// Makes a list.
  public init(run: String, entries: [LogEntry]) {
    self.run = run
    self.entries = entries
  }
}
