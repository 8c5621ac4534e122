import API

/// A line of the journal in the format of `journalctl -o json`.
struct JournalLine: Sendable, Hashable {
  /// The requested fields, in addition to those that are always printed.
  static let fields = ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "_COMM"]

  /// The line's unique position in the journal.
  let cursor: String?
  private let time: String
  private let timeNanoseconds: Int64
  private let level: String
  private let label: String
  private let message: String
  private let metadata: [String: String]

  /// Parses a line; `nil` for any other text.
  init?(_ json: some Sequence<UInt8>) {
    guard let fields = try? APICoding.decode(Fields.self, from: json) else { return nil }
    cursor = fields.cursor
    time = fields.microseconds.map(ISO8601Time.text(microseconds:)) ?? "-"
    timeNanoseconds =
      (fields.monotonicMicroseconds ?? 0).multipliedReportingOverflow(by: 1000)
      .partialValue
    // journalctl omits a field of more than 4096 bytes.
    let text = fields.message ?? "(a text that is too long)"
    if let line = ServiceLogLine(text) {
      (level, label, message, metadata) = (line.level, line.label, line.message, line.metadata)
    } else {
      level = Self.level(fields.priority)
      label = fields.identifier ?? fields.command ?? "-"
      message = text
      metadata = [:]
    }
  }

  /// Returns the line as an entry of the service's log.
  ///
  /// - Parameter number: the line's number among the shown ones.
  func entry(number: UInt64) -> LogEntry {
    LogEntry(
      id: number, time: time, timeNanoseconds: timeNanoseconds, level: level, label: label,
      message: message, metadata: metadata)
  }

  /// Returns the level for a syslog priority; three priorities count as critical.
  private static func level(_ priority: Int?) -> String {
    switch priority ?? 6 {
    case 0, 1, 2: "critical"
    case 3: "error"
    case 4: "warning"
    case 5: "notice"
    case 7: "debug"
    default: "info"
    }
  }

  /// The known fields of a line.
  private struct Fields: Decodable {
    private enum Key: String, CodingKey {
      case cursor = "__CURSOR"
      case realTime = "__REALTIME_TIMESTAMP"
      case monotonicTime = "__MONOTONIC_TIMESTAMP"
      case message = "MESSAGE"
      case priority = "PRIORITY"
      case identifier = "SYSLOG_IDENTIFIER"
      case command = "_COMM"
    }

    let cursor: String?
    let microseconds: Int64?
    let monotonicMicroseconds: Int64?
    let message: String?
    let priority: Int?
    let identifier: String?
    let command: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      cursor = Self.text(.cursor, container)
      microseconds = Self.text(.realTime, container).flatMap { Int64($0) }
      monotonicMicroseconds = Self.text(.monotonicTime, container).flatMap { Int64($0) }
      message = Self.text(.message, container)
      priority = Self.text(.priority, container).flatMap { Int($0) }
      identifier = Self.text(.identifier, container)
      command = Self.text(.command, container)
    }

    /// Returns a field's text.
    ///
    /// journalctl prints a string, bytes for text unfit for a terminal, or a list for several
    /// values.
    private static func text(
      _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) -> String? {
      guard container.contains(key) else { return nil }
      if let text = try? container.decode(String.self, forKey: key) { return text }
      if let bytes = try? container.decode([UInt8].self, forKey: key) {
        return String(decoding: bytes, as: UTF8.self)
      }
      return (try? container.decode([String].self, forKey: key))?.joined(separator: " ")
    }
  }
}
