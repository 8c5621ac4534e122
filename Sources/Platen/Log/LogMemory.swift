public import API
import Devices
import Foundation
public import Logging
import Synchronization

/// The newest lines of the service's log, in memory, for who looks over the API.
///
/// Logging is called from everywhere, so that nothing here waits: a lock is held as long as it takes
/// to add a line.
public final class LogMemory: LogSource {
  private struct State {
    var entries: [LogEntry] = []
    /// The index of the oldest line that is kept; those before it are removed now and then.
    var start = 0
    var bytes = 0
    var newest: UInt64 = 0
    var followers: [AsyncStream<LogEntry>.Continuation] = []
  }

  /// The most lines that are kept.
  static let maximumEntries = LogFilter.maximumLimit
  /// The most bytes that their texts have together.
  static let maximumBytes = 1 << 20

  private let clock: any MonotonicClock
  private let wallNanoseconds: @Sendable () -> Int64
  private let state = Mutex(State())

  /// Makes a memory without lines.
  public convenience init() {
    self.init(
      clock: SystemMonotonicClock(), wallNanoseconds: { Int64(Date().timeIntervalSince1970 * 1e9) })
  }

  init(clock: any MonotonicClock, wallNanoseconds: @escaping @Sendable () -> Int64) {
    self.clock = clock
    self.wallNanoseconds = wallNanoseconds
  }

  /// A handler that adds the lines of a logger here.
  public func handler(label: String) -> any LogHandler {
    LogMemoryHandler(memory: self, label: label)
  }

  /// Lines that are kept, the newest first.
  ///
  /// - Complexity: O(lines kept).
  public func entries(_ filter: LogFilter) async -> [LogEntry] {
    let kept = state.withLock { Array($0.entries[$0.start...]) }
    return Array(kept.reversed().lazy.filter(filter.matches).prefix(filter.limit))
  }

  /// The lines that are kept, the oldest first, and then those that come.
  public func follow() async -> AsyncStream<LogEntry> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LogEntry.self, bufferingPolicy: .bufferingNewest(Self.maximumEntries + 512))
    state.withLock { state in
      for entry in state.entries[state.start...] { continuation.yield(entry) }
      state.followers.append(continuation)
    }
    return stream
  }

  /// Adds a line; what is too long in it is cut.
  func append(
    _ level: Logger.Level, label: String, _ message: String, _ metadata: [String: String]
  ) {
    let time = UploadedMetadata.time(nanoseconds: wallNanoseconds())
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
      // In the lock, so that the lines come in the order of their numbers.
      state.followers.removeAll { if case .terminated = $0.yield(entry) { true } else { false } }
    }
  }
}

extension LogEntry {
  /// What a line costs, about.
  fileprivate var bytes: Int {
    metadata.reduce(128 + label.utf8.count + message.utf8.count) { bytes, pair in
      bytes + 32 + pair.key.utf8.count + pair.value.utf8.count
    }
  }
}
