import Synchronization

/// A feed that hands a run's events to all listeners of the API, each at its own pace.
///
/// A slow listener loses its oldest events and is told how many; the feed never waits for it.
///
/// An account gets another place only while more places are free than it holds. The first account
/// may thus hold half of the places, and a later account still finds some.
final class EventFeed<Event: NumberedEvent>: Sendable {
  /// An item that a listener receives.
  enum Item: Sendable {
    /// A change.
    case event(Event)
    /// A sign that the connection is alive although nothing changed.
    case heartbeat
  }

  /// A listener, whose place is free again after its deinitialization.
  final class Listener: Sendable {
    /// The missed and the kept events, to be sent before the live items.
    let replay: EventHistory<Event>.Replay
    /// The live items, which end with the feed or with ``stop()``.
    let items: AsyncStream<Item>
    /// The newest event's number when the listener came; `nil` when the number is unknown.
    let position: UInt64?
    private let stopListening: @Sendable () -> Void

    fileprivate init(
      replay: EventHistory<Event>.Replay, items: AsyncStream<Item>, position: UInt64?,
      stopListening: @escaping @Sendable () -> Void
    ) {
      self.replay = replay
      self.items = items
      self.position = position
      self.stopListening = stopListening
    }

    deinit { stopListening() }

    /// Ends the items.
    func stop() { stopListening() }
  }

  private struct Place {
    let account: Caller.Account
    let continuation: AsyncStream<Item>.Continuation
  }

  private struct State {
    var history: EventHistory<Event>
    var places: [Int: Place] = [:]
    var nextListener = 0
    var isFinished = false
    var dropped: UInt64 = 0
  }

  /// The name that distinguishes this run's event IDs from those of other runs of the service.
  let run: String
  /// The most listeners at a time.
  let maximumListeners: Int
  private let owners: Set<Caller.Account>
  private let bufferedItems: Int
  private let state: Mutex<State>

  /// Makes a feed without listeners.
  ///
  /// - Parameters:
  ///   - run: see ``run``.
  ///   - historyLimit: the number of events that are kept for listeners that come back.
  ///   - maximumListeners: the most listeners at a time.
  ///   - owners: the accounts that may hold all places.
  ///   - bufferedItems: the most unread items of each listener.
  ///   - first: the number of the first event, 1 or more; `nil` when the number is unknown.
  init(
    run: String, historyLimit: Int, maximumListeners: Int, owners: Set<Caller.Account> = [],
    bufferedItems: Int, first: UInt64? = 1
  ) {
    self.run = run
    self.maximumListeners = maximumListeners
    self.owners = owners
    self.bufferedItems = bufferedItems
    state = Mutex(State(history: EventHistory(limit: historyLimit, first: first)))
  }

  /// The number of listeners.
  var listenerCount: Int { state.withLock { $0.places.count } }

  /// The number of events that listeners lost because they were slow.
  var droppedCount: UInt64 { state.withLock { $0.dropped } }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - lastEventID: the last event that the listener saw; `nil` when it wants only later events.
  ///   - caller: the caller who listens.
  /// - Throws: ``APIError``: `tooManyListeners`, or `unavailable` after ``finish()``.
  /// - Complexity: O(number of listeners).
  func listen(after lastEventID: EventID?, as caller: Caller) throws(APIError) -> Listener {
    let (items, continuation) = AsyncStream.makeStream(
      of: Item.self, bufferingPolicy: .bufferingNewest(bufferedItems))
    let admission = state.withLock {
      state -> Result<(Int, EventHistory<Event>.Replay, UInt64?), APIError> in
      if state.isFinished {
        return .failure(APIError(.unavailable, "The service is shutting down."))
      }
      if let error = refusal(of: caller, in: state) { return .failure(error) }
      state.nextListener += 1
      state.places[state.nextListener] = Place(
        account: caller.account, continuation: continuation)
      let replay =
        switch lastEventID {
        case nil: state.history.replay(after: state.history.newest)
        case let id?: state.history.replay(after: id.run == run ? id.number : nil)
        }
      return .success((state.nextListener, replay, state.history.position))
    }
    let (number, replay, position) = try admission.get()
    return Listener(replay: replay, items: items, position: position) { [weak self] in
      self?.state.withLock { $0.places.removeValue(forKey: number) }?.continuation.finish()
    }
  }

  /// Returns the reason why a caller gets no place; `nil` when it gets one.
  private func refusal(of caller: Caller, in state: State) -> APIError? {
    let free = maximumListeners - state.places.count
    guard free > 0 else {
      return APIError(
        .tooManyListeners,
        "\(maximumListeners) listeners receive events already; close one of them and try again.")
    }
    guard !owners.contains(caller.account) else { return nil }
    let held = state.places.values.count { $0.account == caller.account }
    guard held >= free else { return nil }
    return APIError(
      .tooManyListeners,
      "The \(caller) receives events \(held) times already, and the other \(free) places are left "
        + "to others; close one of yours and try again.")
  }

  /// Keeps an event and hands it to all listeners.
  func send(_ event: Event) {
    let continuations = state.withLock { state in
      state.history.append(event)
      return state.places.values.map(\.continuation)
    }
    var dropped: UInt64 = 0
    for continuation in continuations {
      if case .dropped(.event) = continuation.yield(.event(event)) { dropped += 1 }
    }
    if dropped > 0 { state.withLock { $0.dropped += dropped } }
  }

  /// Tells all listeners that the connection is alive.
  func sendHeartbeat() {
    let continuations = state.withLock { $0.places.values.map(\.continuation) }
    var dropped: UInt64 = 0
    for continuation in continuations {
      if case .dropped(.event) = continuation.yield(.heartbeat) { dropped += 1 }
    }
    if dropped > 0 { state.withLock { $0.dropped += dropped } }
  }

  /// Ends all listeners, and refuses later ones.
  func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.places = [:] }
      return state.places.values.map(\.continuation)
    }
    for continuation in continuations { continuation.finish() }
  }
}
