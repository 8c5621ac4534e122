import Testing

@testable import API

@Suite struct EventFeedTests {
  private let caller = Self.caller(1)

  private static func caller(_ user: UInt32) -> Caller {
    Caller(account: .user(user), name: nil, origin: .unixSocket(processID: 1))
  }

  private func feed(
    limit: Int = 8, buffered: Int = 4, places: Int = 3, owners: Set<Caller.Account> = [.user(1)]
  ) -> EventFeed<RigEvent> {
    EventFeed<RigEvent>(
      run: "r", historyLimit: limit, maximumListeners: places, owners: owners,
      bufferedItems: buffered)
  }

  private func event(_ id: UInt64) -> RigEvent {
    RigEvent(
      id: id, timeNanoseconds: 0, payload: .readiness(ReadinessReport(state: "ready")))
  }

  private func numbers(_ listener: EventFeed<RigEvent>.Listener) async -> [UInt64] {
    var numbers: [UInt64] = []
    for await item in listener.items {
      if case .event(let event) = item { numbers.append(event.id) }
    }
    return numbers
  }

  @Test func `a slow listener loses the oldest events`() async throws {
    let feed = feed()
    let listener = try feed.listen(after: nil, as: caller)
    for id in 1...10 as ClosedRange<UInt64> { feed.send(event(id)) }
    feed.finish()
    #expect(await numbers(listener) == [7, 8, 9, 10])
  }

  @Test func `no event is lost between replay and stream`() async throws {
    let feed = feed()
    for id in 1...5 as ClosedRange<UInt64> { feed.send(event(id)) }
    let listener = try feed.listen(after: EventID(run: "r", number: 2), as: caller)
    feed.send(event(6))
    feed.finish()
    #expect(listener.replay.events.map(\.id) == [3, 4, 5])
    #expect(listener.position == 5)
    #expect(await numbers(listener) == [6])
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
