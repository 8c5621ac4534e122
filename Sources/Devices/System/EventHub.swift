import Synchronization

/// Hands every event to all listeners, each at its own pace.
///
/// A listener that is too slow loses its oldest events; no sender waits for a listener.
package final class EventHub<Event: Sendable>: Sendable {
  private struct Listener: Sendable {
    let receive: @Sendable (Event) -> Void
    let finish: @Sendable () -> Void
  }

  private struct State {
    var nextListener = 0
    var listeners: [Int: Listener] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Begins to listen; the stream ends when its consuming task does or the hub is finished.
  ///
  /// - Parameters:
  ///   - limit: the number of unread events kept, the newest.
  ///   - first: the events that the listener gets before those to come.
  ///   - onDrop: receives each event that the listener was too slow for, on the sender's thread,
  ///     and must not block; `nil` when lost events do not matter.
  ///   - isWanted: returns whether the listener gets an event, on the sender's thread, and must not
  ///     block.
  package func listen(
    limit: Int = 256, first: [Event] = [], onDrop: (@Sendable (Event) -> Void)? = nil,
    where isWanted: @escaping @Sendable (Event) -> Bool = { _ in true }
  ) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(limit))
    for event in first { continuation.yield(event) }
    let listener = add(
      Listener(
        receive: { event in
          guard isWanted(event) else { return }
          if case .dropped(let dropped) = continuation.yield(event) { onDrop?(dropped) }
        }, finish: { continuation.finish() }))
    continuation.onTermination = { [weak self] _ in
      guard let listener else { return }
      self?.state.withLock { $0.listeners[listener] = nil }
    }
    return stream
  }

  /// Hands every event on to a function, on the sender's thread; the function must not block.
  ///
  /// - Parameter finish: a function that is called once the hub is finished.
  package func forward(
    to receive: @escaping @Sendable (Event) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    _ = add(Listener(receive: receive, finish: finish))
  }

  /// Returns the listener's number; `nil` for a hub that is finished, as the listener is then, too.
  private func add(_ listener: Listener) -> Int? {
    let number: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
    if number == nil { listener.finish() }
    return number
  }

  /// Hands an event to all listeners.
  package func send(_ event: Event) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.receive(event) }
  }

  /// Ends all streams, current and future.
  package func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
