import API
import Foundation

/// A line of the journal, as `journalctl -o json` prints it.
struct JournalLine: Sendable, Hashable {
  /// The fields of which a line is made, besides those that are always printed.
  static let fields = ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "_COMM"]

  /// Where it is in the journal; no other line has the same.
  let cursor: String?
  private let time: String
  private let timeNanoseconds: Int64
  private let level: String
  private let label: String
  private let message: String
  private let metadata: [String: String]

  /// Reads a line; `nil` for what is none.
  init?(_ json: some Sequence<UInt8>) {
    guard let fields = try? APICoding.decode(Fields.self, from: json) else { return nil }
    cursor = fields.cursor
    time = fields.microseconds.map { Self.time(microseconds: $0) } ?? "-"
    timeNanoseconds =
      (fields.monotonicMicroseconds ?? 0).multipliedReportingOverflow(by: 1000)
      .partialValue
    // journalctl leaves out what is longer than 4096 bytes.
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

  /// The line as one of the service's log.
  ///
  /// - Parameter number: its number among those that are shown.
  func entry(number: UInt64) -> LogEntry {
    LogEntry(
      id: number, time: time, timeNanoseconds: timeNanoseconds, level: level, label: label,
      message: message, metadata: metadata)
  }

  /// The level of one of syslog's priorities, of which three mean that nothing works any more.
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

  /// A time of the wall clock, ISO 8601 in UTC with milliseconds.
  private static func time(microseconds: Int64) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let milliseconds = "\(abs(rest) / 1000)"
    let zeros = String(repeating: "0", count: 3 - milliseconds.count)
    return "\(date.dropLast()).\(zeros)\(milliseconds)Z"
  }

  /// The fields of a line that are known here.
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

    /// A field's text: all are strings, but bytes where a terminal would not show them, and a list
    /// where there are several.
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
