package import API
import Devices
import Foundation
package import Logging
import Synchronization

/// The newest lines of the service's log, in memory, for readers over the API.
///
/// Logging is called from everywhere, so nothing here waits: a lock is held only while a line is
/// added.
package final class LogMemory: LogSource {
  private struct State {
    var entries: [LogEntry] = []
    /// The index of the oldest kept line; the lines before it are removed from time to time.
    var start = 0
    var bytes = 0
    var newest: UInt64 = 0
  }

  /// The maximum number of kept lines.
  static let maximumEntries = LogFilter.maximumLimit
  /// The maximum size of all kept texts in bytes.
  static let maximumBytes = 1 << 20

  private let clock: any MonotonicClock
  private let wallNanoseconds: @Sendable () -> Int64
  private let state = Mutex(State())
  private let followers = EventHub<LogEntry>()

  /// Makes a memory without lines.
  package convenience init() {
    self.init(
      clock: SystemMonotonicClock(), wallNanoseconds: { Int64(Date().timeIntervalSince1970 * 1e9) })
  }

  init(clock: any MonotonicClock, wallNanoseconds: @escaping @Sendable () -> Int64) {
    self.clock = clock
    self.wallNanoseconds = wallNanoseconds
  }

  /// Returns a handler that adds a logger's lines to the memory.
  package func handler(label: String) -> any LogHandler {
    LogMemoryHandler(memory: self, label: label)
  }

  /// Returns kept lines, the newest first.
  ///
  /// - Complexity: O(kept lines).
  package func entries(_ filter: LogFilter) async -> [LogEntry] {
    let kept = state.withLock { Array($0.entries[$0.start...]) }
    return Array(kept.reversed().lazy.filter(filter.matches).prefix(filter.limit))
  }

  /// Returns a stream of the kept lines, the oldest first, and then of the new lines.
  package func follow() async -> AsyncStream<LogEntry> {
    // The lock is held, so that a follower gets each line once.
    state.withLock { state in
      followers.listen(
        limit: Self.maximumEntries + 512, first: Array(state.entries[state.start...]))
    }
  }

  /// Adds a line; long parts are cut.
  func append(
    _ level: Logger.Level, label: String, _ message: String, _ metadata: [String: String]
  ) {
    let time = ISO8601Time.text(nanoseconds: wallNanoseconds())
    let now = clock.now.nanoseconds
    let (label, message) = (String(label.prefix(128)), String(message.prefix(2048)))
    let pairs = metadata.sorted { $0.key < $1.key }.prefix(32)
      .map { (String($0.key.prefix(64)), String($0.value.prefix(1024))) }
    let metadata = Dictionary(pairs) { first, _ in first }
    state.withLock { state in
      state.newest += 1
      let entry = LogEntry(
        id: state.newest, time: time, timeNanoseconds: now, level: level.rawValue, label: label,
        message: message, metadata: metadata)
      state.entries.append(entry)
      state.bytes += entry.bytes
      while state.entries.count - state.start > Self.maximumEntries
        || state.bytes > Self.maximumBytes
      {
        state.bytes -= state.entries[state.start].bytes
        state.start += 1
      }
      if state.start > Self.maximumEntries / 4 {
        state.entries.removeFirst(state.start)
        state.start = 0
      }
      // The lock is held, so that the lines come in the order of their numbers.
      followers.send(entry)
    }
  }
}

extension LogEntry {
  /// The approximate memory for a line.
  fileprivate var bytes: Int {
    metadata.reduce(128 + label.utf8.count + message.utf8.count) { bytes, pair in
      bytes + 32 + pair.key.utf8.count + pair.value.utf8.count
    }
  }
}
