import Synchronization

/// Hands every event to all listeners, each at its own pace.
///
/// A listener that is too slow loses its oldest events; no sender waits for a listener.
package final class EventHub<Event: Sendable>: Sendable {
  private struct State {
    var nextListener = 0
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var onDrop: [Int: @Sendable (Event) -> Void] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Begins to listen; the stream ends when its consuming task does or the hub is finished.
  ///
  /// - Parameters:
  ///   - limit: the number of unread events kept, the newest.
  ///   - onDrop: receives each event that the listener was too slow for, on the sender's thread,
  ///     and must not block; `nil` when lost events do not matter.
  package func listen(
    limit: Int = 256, onDrop: (@Sendable (Event) -> Void)? = nil
  ) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(limit))
    let listener: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.continuations[state.nextListener] = continuation
      state.onDrop[state.nextListener] = onDrop
      return state.nextListener
    }
    guard let listener else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in
        state.continuations[listener] = nil
        state.onDrop[listener] = nil
      }
    }
    return stream
  }

  /// Hands an event to all listeners.
  package func send(_ event: Event) {
    let listeners = state.withLock { state in
      state.continuations.map { (continuation: $1, onDrop: state.onDrop[$0]) }
    }
    for (continuation, onDrop) in listeners {
      if case .dropped(let dropped) = continuation.yield(event) { onDrop?(dropped) }
    }
  }

  /// Ends all streams, current and future.
  package func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer {
        state.continuations = [:]
        state.onDrop = [:]
      }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
