import Testing

@testable import API

@Suite struct EventFeedTests {
  private func feed(limit: Int = 8, buffered: Int = 4) -> EventFeed<RigEvent> {
    EventFeed<RigEvent>(run: "r", historyLimit: limit, maximumListeners: 3, bufferedItems: buffered)
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

  @Test func aSlowListenerLosesTheOldest() async throws {
    let feed = feed()
    let listener = try feed.listen(after: nil)
    for id in 1...10 as ClosedRange<UInt64> { feed.send(event(id)) }
    feed.finish()
    #expect(await numbers(listener) == [7, 8, 9, 10])
  }

  @Test func nothingFallsBetweenReplayAndStream() async throws {
    let feed = feed()
    for id in 1...5 as ClosedRange<UInt64> { feed.send(event(id)) }
    let listener = try feed.listen(after: EventID(run: "r", number: 2))
    feed.send(event(6))
    feed.finish()
    #expect(listener.replay.events.map(\.id) == [3, 4, 5])
    #expect(listener.position == 5)
    #expect(await numbers(listener) == [6])
  }

  @Test func aPlaceIsFreeWhenItsListenerIsGone() throws {
    let feed = feed()
    var listeners = try (0..<3).map { _ in try feed.listen(after: nil) }
    #expect(throws: APIError.self) { try feed.listen(after: nil) }
    listeners[0].stop()
    #expect(feed.listenerCount == 2)
    listeners.append(try feed.listen(after: nil))
    listeners.removeAll()
    #expect(feed.listenerCount == 0)
  }

  @Test func nobodyListensAfterTheEnd() {
    let feed = feed()
    feed.finish()
    #expect {
      try feed.listen(after: nil)
    } throws: { ($0 as? APIError)?.code == .unavailable }
  }
}
