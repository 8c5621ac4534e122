import Devices
import Logging

/// A selection from the log lines of repeated attempts.
///
/// A missing camera may be looked for every two seconds, for weeks. If every attempt were logged,
/// the log's memory would have no space for the cause, and the card would wear out.
///
/// The first ``unabridged`` lines are logged, then the lines whose number is a power of two, and
/// one line in each ``interval``. Such a line counts its attempts (``counters``). All other lines
/// are always logged.
struct LogRepetition {
  /// The number of first lines of a row, all of which are logged.
  static let unabridged = 4
  /// The longest time without a logged line of a continuing row.
  static let interval = Duration.seconds(3600)
  /// The pause after which a line begins a new row.
  static let memory = Duration.seconds(600)
  /// The maximum number of remembered rows; the least recent row is forgotten first.
  static let limit = 128

  /// The metadata keys that count attempts and differ from one line to the next.
  static let counters: Set = ["next.attempt.in", "recovery.failures", "recovery.pause"]

  /// The parts of a line that identify a repetition: all but ``counters``.
  struct Line: Hashable {
    var label: String
    var level: Logger.Level
    var message: String
    var metadata: [String: String]

    /// Makes the line; `nil` for a line that does not count attempts.
    init?(_ event: LogEvent, label: String) {
      guard event.metadata?.keys.contains(where: LogRepetition.counters.contains) == true else {
        return nil
      }
      self.label = label
      level = event.level
      message = "\(event.message)"
      metadata = (event.metadata ?? [:]).filter { !LogRepetition.counters.contains($0.key) }
        .mapValues { "\($0)" }
      if let error = event.error { metadata["error"] = "\(error)" }
    }
  }

  private struct Row {
    var count: Int
    var last: MonotonicInstant
    var logged: MonotonicInstant
  }

  private var rows: [Line: Row] = [:]

  /// Counts a line.
  ///
  /// - Returns: the line's number in its row; `nil` when the line is not to be logged.
  mutating func take(_ line: Line, at now: MonotonicInstant) -> Int? {
    guard var row = rows[line], row.last.duration(to: now) < Self.memory else {
      if rows[line] == nil, rows.count >= Self.limit {
        rows.min { $0.value.last < $1.value.last }.map { rows[$0.key] = nil }
      }
      rows[line] = Row(count: 1, last: now, logged: now)
      return 1
    }
    row.count += 1
    row.last = now
    let isLogged =
      row.count <= Self.unabridged || row.count.nonzeroBitCount == 1
      || row.logged.duration(to: now) >= Self.interval
    if isLogged { row.logged = now }
    rows[line] = row
    return isLogged ? row.count : nil
  }
}
