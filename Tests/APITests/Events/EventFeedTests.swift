import Synchronization
import Testing

@testable import API

@Suite struct EventFeedTests {
  private let caller = Self.caller(1)

  private static func caller(_ user: UInt32) -> Caller {
    Caller(account: .user(user), name: nil, origin: .unixSocket(processID: 1))
  }

  private func feed(
    limit: Int = 8, places: Int = 3, owners: Set<Caller.Account> = [.user(1)]
  ) -> EventFeed<RigEvent> {
    EventFeed<RigEvent>(
      run: "r", historyLimit: limit, maximumListeners: places, owners: owners)
  }

  private func event(_ id: UInt64) -> RigEvent {
    RigEvent(
      id: id, timeNanoseconds: 0, payload: .readiness(ReadinessReport(state: "ready")))
  }

  /// Reads until the feed ends.
  private func read(_ listener: EventFeed<RigEvent>.Listener) async -> [String] {
    var words: [String] = []
    for await _ in listener.signs { words += listener.unread().map(\.word) }
    return words
  }

  @Test func `a slow listener loses the oldest events and is told`() async throws {
    let feed = feed(limit: 4)
    let listener = try feed.listen(after: nil, as: caller)
    for id in 1...10 as ClosedRange<UInt64> { feed.send(event(id)) }
    #expect(feed.droppedCount == 6)
    feed.finish()
    #expect(await read(listener) == ["missed 6", "7", "8", "9", "10"])
    #expect(feed.droppedCount == 6)
  }

  @Test func `the losses of a listener that has gone stay counted`() throws {
    let feed = feed(limit: 4)
    let listener = try feed.listen(after: nil, as: caller)
    for id in 1...10 as ClosedRange<UInt64> { feed.send(event(id)) }
    listener.stop()
    #expect(feed.droppedCount == 6)
  }

  @Test func `no event is lost between the kept and the live ones`() async throws {
    let feed = feed()
    for id in 1...5 as ClosedRange<UInt64> { feed.send(event(id)) }
    let listener = try feed.listen(after: EventID(run: "r", number: 2), as: caller)
    #expect(listener.unread().map(\.word) == ["3", "4", "5"])
    feed.send(event(6))
    feed.finish()
    #expect(await read(listener) == ["6"])
  }

  @Test func `a heartbeat is a sign without an event`() async throws {
    let feed = feed()
    let listener = try feed.listen(after: nil, as: caller)
    feed.sendHeartbeat()
    feed.finish()
    var signs: [EventFeed<RigEvent>.Sign] = []
    for await sign in listener.signs { signs.append(sign) }
    #expect(signs == [.heartbeat] && listener.unread().isEmpty)
  }

  @Test func `an event is encoded once for all listeners`() throws {
    let feed = EventFeed<CountedEvent>(
      run: "r", historyLimit: 1, maximumListeners: 2, owners: [.user(1)])
    let listeners = try (0..<2).map { _ in try feed.listen(after: nil, as: caller) }
    feed.send(CountedEvent(id: 1))
    var texts: [String] = []
    for listener in listeners {
      for case .event(let event) in listener.unread() { texts.append(try event.text(run: "r")) }
    }
    #expect(texts == Array(repeating: "id: r-1\nevent: counted\ndata: 1\n\n", count: 2))
    #expect(CountedEvent.encodings.withLock { $0 } == 1)
  }

  @Test func `a place is free when its listener is gone`() throws {
    let feed = feed()
    var listeners = try (0..<3).map { _ in try feed.listen(after: nil, as: caller) }
    #expect(throws: APIError.self) { try feed.listen(after: nil, as: caller) }
    listeners[0].stop()
    #expect(feed.listenerCount == 2)
    listeners.append(try feed.listen(after: nil, as: caller))
    listeners.removeAll()
    #expect(feed.listenerCount == 0)
  }

  /// A new caller finds a place after others have taken all that they can get.
  @Test(arguments: [(1, [1]), (2, [1, 1]), (3, [2, 1]), (32, [16, 8, 4, 2, 1, 1])])
  func `no caller holds all places`(_ places: Int, _ held: [Int]) throws {
    let feed = feed(places: places, owners: [])
    var listeners: [EventFeed<RigEvent>.Listener] = []
    for (user, count) in held.enumerated() {
      let caller = Self.caller(UInt32(user))
      for _ in 0..<count { listeners.append(try feed.listen(after: nil, as: caller)) }
      #expect {
        try feed.listen(after: nil, as: caller)
      } throws: { ($0 as? APIError)?.code == .tooManyListeners }
    }
    #expect(feed.listenerCount == places)
    listeners.removeAll()
    #expect(feed.listenerCount == 0)
  }

  @Test func `owners may have all places`() throws {
    let feed = feed(places: 32)
    let listeners = try (0..<32).map { _ in try feed.listen(after: nil, as: caller) }
    #expect(feed.listenerCount == 32)
    withExtendedLifetime(listeners) {}
  }

  @Test func `a caller with too many places gets the reason`() throws {
    let feed = feed(places: 4, owners: [])
    let listeners = try (0..<2).map { _ in try feed.listen(after: nil, as: caller) }
    #expect {
      try feed.listen(after: nil, as: caller)
    } throws: { error in
      (error as? APIError)?.message
        == "The user 1 receives events 2 times already, and the other 2 places are left to "
        + "others; close one of yours and try again."
    }
    withExtendedLifetime(listeners) {}
  }

  @Test func `listening is refused after the end`() {
    let feed = feed()
    feed.finish()
    #expect {
      try feed.listen(after: nil, as: caller)
    } throws: { ($0 as? APIError)?.code == .unavailable }
  }
}

extension EventHistory.Item {
  /// The event's number, or the number of missed events.
  var word: String {
    switch self {
    case .missed(let missed): missed.count.map { "missed \($0)" } ?? "missed"
    case .event(let shared): "\(shared.event.id)"
    }
  }
}

/// An event that counts how often events of its kind are encoded.
private struct CountedEvent: NumberedEvent {
  static let encodings = Mutex(0)

  let id: UInt64
  var name: String { "counted" }

  func encode(to encoder: any Encoder) throws {
    Self.encodings.withLock { $0 += 1 }
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}
