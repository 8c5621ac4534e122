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
    var entries = NewestValues<LogEntry>(
      maximumCount: LogFilter.maximumLimit, maximumBytes: LogFilter.maximumBytes)
    var newest: UInt64 = 0
  }

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
    let kept = state.withLock { $0.entries.all }
    return Array(kept.reversed().lazy.filter(filter.matches).prefix(filter.limit))
  }

  /// Returns a stream of the kept lines, the oldest first, and then of the new lines.
  package func follow() async -> AsyncStream<LogEntry> {
    // The lock is held, so that a follower gets each line once.
    state.withLock { state in
      followers.listen(limit: LogFilter.maximumLimit + 512, first: state.entries.all)
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
      state.entries.append(entry, bytes: entry.bytes)
      // The lock is held, so that the lines come in the order of their numbers.
      followers.send(entry)
    }
  }
}
