import Devices
import Logging

/// A choice of the lines that tell of one attempt after another.
///
/// A camera that is missing for weeks is looked for every two seconds. Each line of that would leave no
/// room in the log's memory for its cause, and wear the card: the first ``unabridged`` are logged, then
/// those whose number is a power of two, and one in each ``interval``. Such a line counts its attempts
/// (``counters``); all others are always logged.
struct LogRepetition {
  /// The first of a row, all of which are logged.
  static let unabridged = 4
  /// The longest time without a line of a row that goes on.
  static let interval = Duration.seconds(3600)
  /// After this time without it a line begins a new row.
  static let memory = Duration.seconds(600)
  /// Rows that are remembered; the one that is the longest ago is forgotten first.
  static let limit = 128

  /// Keys of metadata by which a line counts attempts; they differ from one to the next.
  static let counters: Set = ["next.attempt.in", "recovery.failures", "recovery.pause"]

  /// The parts of a line by which it is the same as another: all but ``counters``.
  struct Line: Hashable {
    var label: String
    var level: Logger.Level
    var message: String
    var metadata: [String: String]

    /// Makes the line; `nil` for one that counts no attempts.
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

  /// Takes a line.
  ///
  /// - Returns: how often it has come in a row by now; `nil` when it is not to be logged.
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
