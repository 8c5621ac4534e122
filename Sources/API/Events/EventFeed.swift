import Devices
import Synchronization

/// A feed that keeps a run's newest events for all listeners of the API, each at its own pace.
///
/// All listeners read the same history. A listener that is slower than the history loses its oldest
/// events and is told how many; the feed never waits for it. A ``PlaceRule`` shares the places.
final class EventFeed<Event: NumberedEvent>: Sendable {
  /// A sign that a listener receives.
  enum Sign: Sendable {
    /// An event has come since the last sign.
    case event
    /// The connection is alive although nothing changed.
    case heartbeat
  }

  /// A listener, whose place is free again after its deinitialization.
  final class Listener: Sendable {
    /// The signs, which end with the feed or with ``stop()``; the newest replaces an unread one.
    ///
    /// The first sign is there from the beginning.
    let signs: AsyncStream<Sign>
    private let feed: EventFeed
    private let number: Int

    fileprivate init(of feed: EventFeed, number: Int, signs: AsyncStream<Sign>) {
      self.feed = feed
      self.number = number
      self.signs = signs
    }

    deinit { stop() }

    /// Returns the events since the last call, with notices of the missed ones; none after
    /// ``stop()``.
    func unread() -> [EventHistory<Event>.Item] { feed.unread(by: number) }

    /// Ends the signs.
    func stop() { feed.stop(number) }
  }

  private struct Place {
    let account: Caller.Account
    let continuation: AsyncStream<Sign>.Continuation
    var position: EventHistory<Event>.Position
  }

  private struct State {
    var history: EventHistory<Event>
    var places: [Int: Place] = [:]
    var nextListener = 0
    var isFinished = false
    var dropped: UInt64 = 0

    /// Returns the number of events that a listener is about to lose because it was slow.
    func loss(of place: Place) -> UInt64 {
      UInt64(history.forgottenCount(after: place.position))
    }
  }

  /// The name that distinguishes this run's event IDs from those of other runs of the service.
  let run: String
  private let rule: PlaceRule
  private let state: Mutex<State>

  /// Makes a feed without listeners.
  ///
  /// - Parameters:
  ///   - run: see ``run``.
  ///   - historyLimit: the number of events that are kept for listeners that are slow or come back.
  ///   - historyBytes: the bytes of these events.
  ///   - maximumListeners: the most listeners at a time.
  ///   - owners: the accounts that may hold all places.
  ///   - first: the number of the first event, 1 or more; `nil` when the number is unknown.
  init(
    run: String, historyLimit: Int, historyBytes: Int = .max, maximumListeners: Int,
    owners: Set<Caller.Account> = [], first: UInt64? = 1
  ) {
    self.run = run
    rule = PlaceRule(
      maximum: maximumListeners, owners: owners, one: "listener receives",
      many: "listeners receive", act: "receives", object: "events")
    state = Mutex(
      State(
        history: EventHistory(limit: historyLimit, maximumBytes: historyBytes, first: first)))
  }

  /// The most listeners at a time.
  var maximumListeners: Int { rule.maximum }

  /// The number of listeners.
  var listenerCount: Int { state.withLock { $0.places.count } }

  /// The number of events that listeners lost because they were slow.
  var droppedCount: UInt64 {
    state.withLock { state in
      state.places.values.reduce(state.dropped) { $0 + state.loss(of: $1) }
    }
  }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - lastEventID: the last event that the listener saw; `nil` when it wants only later events.
  ///   - caller: the caller who listens.
  /// - Throws: ``APIError``: `tooManyListeners`, or `unavailable` after ``finish()``.
  /// - Complexity: O(number of listeners, and of events kept).
  func listen(after lastEventID: EventID?, as caller: Caller) throws(APIError) -> Listener {
    let (signs, continuation) = AsyncStream.makeStream(
      of: Sign.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(.event)
    let admission = state.withLock { state -> Result<Int, APIError> in
      if state.isFinished {
        return .failure(APIError(.unavailable, "The service is shutting down."))
      }
      let held = state.places.values.count { $0.account == caller.account }
      if let error = rule.refusal(of: caller, held: held, taken: state.places.count) {
        return .failure(error)
      }
      let position =
        switch lastEventID {
        case nil: state.history.end
        case let id?: state.history.position(after: id.run == run ? id.number : nil)
        }
      state.nextListener += 1
      state.places[state.nextListener] = Place(
        account: caller.account, continuation: continuation, position: position)
      return .success(state.nextListener)
    }
    return Listener(of: self, number: try admission.get(), signs: signs)
  }

  private func unread(by listener: Int) -> [EventHistory<Event>.Item] {
    state.withLock { state in
      guard var place = state.places[listener] else { return [] }
      state.dropped += state.loss(of: place)
      defer { state.places[listener] = place }
      return state.history.read(from: &place.position)
    }
  }

  private func stop(_ listener: Int) {
    let place = state.withLock { state in
      let place = state.places.removeValue(forKey: listener)
      if let place { state.dropped += state.loss(of: place) }
      return place
    }
    place?.continuation.finish()
  }

  /// Keeps an event and tells all listeners that there is one.
  func send(_ event: Event) {
    state.withLock { $0.history.append(event) }
    signal(.event)
  }

  /// Tells all listeners that the connection is alive.
  func sendHeartbeat() { signal(.heartbeat) }

  private func signal(_ sign: Sign) {
    let places = state.withLock { Array($0.places.values) }
    for place in places { place.continuation.yield(sign) }
  }

  /// Ends all listeners once they have read what is left, and refuses later ones.
  func finish() {
    let places = state.withLock { state in
      state.isFinished = true
      return Array(state.places.values)
    }
    for place in places { place.continuation.finish() }
  }
}
