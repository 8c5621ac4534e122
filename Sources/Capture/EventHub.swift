import Synchronization

/// Hands every event to all who listen, each at their own pace.
///
/// A listener that is too slow loses its oldest events; nobody waits for it.
public final class EventHub<Event: Sendable>: Sendable {
  private struct State {
    var nextListener = 0
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var onDrop: [Int: @Sendable (Event) -> Void] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Makes a hub without listeners.
  public init() {}

  /// Begins to listen; ends when the consuming task does or the hub is finished.
  ///
  /// - Parameters:
  ///   - limit: how many unread events are kept, the newest.
  ///   - onDrop: gets each event that the listener was too slow for, on the sender's thread; it must
  ///     not wait. `nil` for a listener that does not miss them.
  public func listen(
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
  public func send(_ event: Event) {
    let listeners = state.withLock { state in
      state.continuations.map { (continuation: $1, onDrop: state.onDrop[$0]) }
    }
    for (continuation, onDrop) in listeners {
      if case .dropped(let dropped) = continuation.yield(event) { onDrop?(dropped) }
    }
  }

  /// Ends all listening, now and later.
  public func finish() {
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
