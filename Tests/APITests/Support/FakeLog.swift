import API
import Logging
import Synchronization

/// A log that has what a test puts into it.
final class FakeLog: LogSource {
  private struct State {
    var entries: [LogEntry] = []
    var followers: [AsyncStream<LogEntry>.Continuation] = []
  }

  private let state = Mutex(State())
  /// Tells that the list was asked for.
  let asked: AsyncStream<Void>
  private let askedContinuation: AsyncStream<Void>.Continuation

  init() {
    (asked, askedContinuation) = AsyncStream.makeStream(of: Void.self)
  }

  func add(
    _ level: Logger.Level, _ label: String, _ message: String, _ metadata: [String: String] = [:]
  ) {
    state.withLock { state in
      let id = UInt64(state.entries.count + 1)
      let entry = LogEntry(
        id: id, time: "2026-11-21T10:00:00.00\(id)Z", timeNanoseconds: Int64(id),
        level: level.rawValue, label: label, message: message, metadata: metadata)
      state.entries.append(entry)
      for follower in state.followers { follower.yield(entry) }
    }
  }

  func entries(_ filter: LogFilter) async -> [LogEntry] {
    defer { askedContinuation.yield() }
    return state.withLock {
      Array($0.entries.reversed().filter(filter.matches).prefix(filter.limit))
    }
  }

  func follow() async -> AsyncStream<LogEntry> {
    let (stream, continuation) = AsyncStream.makeStream(of: LogEntry.self)
    state.withLock { state in
      for entry in state.entries { continuation.yield(entry) }
      state.followers.append(continuation)
    }
    return stream
  }
}
