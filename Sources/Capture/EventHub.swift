import Synchronization

/// Hands every event to all who listen, each at their own pace.
///
/// A listener that is too slow loses its oldest events; nobody waits for it.
public final class EventHub<Event: Sendable>: Sendable {
  private struct State {
    var nextListener = 0
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Makes a hub without listeners.
  public init() {}

  /// Begins to listen; ends when the consuming task does or the hub is finished.
  ///
  /// - Parameter limit: how many unread events are kept, the newest.
  public func listen(limit: Int = 256) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(limit))
    let listener: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.continuations[state.nextListener] = continuation
      return state.nextListener
    }
    guard let listener else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: listener) }
    }
    return stream
  }

  /// Hands an event to all listeners.
  public func send(_ event: Event) {
    let continuations = state.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield(event) }
  }

  /// Ends all listening, now and later.
  public func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
