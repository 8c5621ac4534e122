import Synchronization

/// The events of a running stream, in their order, for one reader at a time.
///
/// The newest ``limit`` events are kept, however old. Canceling the reader's task ends the reading
/// once no event waits.
///
/// A reader on an actor waits there, and neither sending nor reading makes an allocation.
/// `AsyncStream` leaves the actor for each event, and allocates for it. See also ``ActorTasks``.
package final class CameraEvents: AsyncSequence, Sendable {
  /// See `AsyncSequence`.
  package typealias Element = CameraEvent
  /// See `AsyncSequence`; reading throws nothing.
  package typealias Failure = Never

  /// The number of unread events kept.
  package static let limit = 256

  private struct State {
    var unread: [CameraEvent] = []
    var isFinished = false
    /// The reader that waits; unchecked, because the check allocates.
    var reader: UnsafeContinuation<Void, Never>?

    mutating func takeReader() -> UnsafeContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }

  private let state = Mutex(State())

  /// Makes the events of a stream without an event.
  package init() {}

  /// Adds an event, for which the oldest unread one may have to go; does nothing after the end.
  ///
  /// The call waits for no reader and may be made from any thread.
  package func send(_ event: CameraEvent) {
    let reader = state.withLock { state in
      guard !state.isFinished else { return nil as UnsafeContinuation<Void, Never>? }
      if state.unread.count == Self.limit { state.unread.removeFirst() }
      state.unread.append(event)
      return state.takeReader()
    }
    reader?.resume()
  }

  /// Ends the events after the unread ones.
  package func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return state.takeReader()
    }
    reader?.resume()
  }

  /// Makes a reader; a later reader goes on where the earlier one has ended.
  package func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// A reader of the events.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let events: CameraEvents

    /// Waits for the next event; `nil` at the end.
    package mutating func next() async -> CameraEvent? {
      await events.next(isolation: #isolation)
    }

    /// Waits for the next event on an actor; `nil` at the end.
    package mutating func next(isolation actor: isolated (any Actor)?) async -> CameraEvent? {
      await events.next(isolation: actor)
    }
  }

  private func next(isolation actor: isolated (any Actor)?) async -> CameraEvent? {
    while true {
      let (event, isFinished) = state.withLock { state in
        (state.unread.isEmpty ? nil : state.unread.removeFirst(), state.isFinished)
      }
      if let event { return event }
      if isFinished || Task.isCancelled { return nil }
      await withTaskCancellationHandler(
        operation: { await change(isolation: actor) },
        onCancel: { state.withLock { $0.takeReader() }?.resume() }, isolation: actor)
    }
  }

  /// Waits for an event, the end or the cancellation.
  private func change(isolation actor: isolated (any Actor)?) async {
    await withUnsafeContinuation(isolation: actor) { reader in
      let isOver = state.withLock { state in
        // The cancellation is looked at under the lock, so that its handler finds the reader.
        guard state.unread.isEmpty, !state.isFinished, !Task.isCancelled else { return true }
        precondition(state.reader == nil, "a stream's events have two readers")
        state.reader = reader
        return false
      }
      if isOver { reader.resume() }
    }
  }
}
