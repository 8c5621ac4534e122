import Testing

@testable import API

@Suite struct EventHistoryTests {
  private func history(limit: Int, count: UInt64) -> EventHistory<RigEvent> {
    var history = EventHistory<RigEvent>(limit: limit)
    for id in 1..<(count + 1) {
      history.append(
        RigEvent(
          id: id, timeNanoseconds: 0, payload: .readiness(ReadinessReport(state: "ready"))))
    }
    return history
  }

  /// The reference is the plain definition: all events after a number, the last `limit` of them.
  @Test func `kept events are replayed`() {
    for limit in 1...5 {
      for count in 0...12 as ClosedRange<UInt64> {
        let history = history(limit: limit, count: count)
        for number in 0...count {
          let wanted = Array(number..<count).map { $0 + 1 }
          let kept = Array(wanted.suffix(limit))
          let replay = history.replay(after: number)
          #expect(replay.events.map(\.id) == kept)
          #expect(replay.missed?.count ?? 0 == UInt64(wanted.count - kept.count))
        }
      }
    }
  }

  @Test(arguments: [nil, 13, UInt64.max] as [UInt64?])
  func `an unknown number gets all events and a notice`(_ number: UInt64?) {
    let replay = history(limit: 5, count: 12).replay(after: number)
    #expect(replay.events.map(\.id) == [8, 9, 10, 11, 12])
    #expect(replay.missed == MissedEvents(count: nil))
  }

  @Test(
    arguments: [
      (3, nil, nil), (3, 3, nil), (3, 4, nil), (3, 5, 1), (3, 10, 6), (5, 3, nil),
    ] as [(UInt64, UInt64?, UInt64?)])
  func `gaps are counted`(last: UInt64, next: UInt64?, count: UInt64?) {
    #expect(missedEvents(after: last, before: next)?.count == count)
  }

  @Test(
    arguments: [
      ("abc-7", "abc", 7), ("a-0", "a", 0), ("a-18446744073709551615", "a", UInt64.max),
    ] as [(String, String, UInt64)])
  func `event IDs are read as they are written`(text: String, run: String, number: UInt64) throws {
    let id = try #require(EventID(text))
    #expect(id == EventID(run: run, number: number))
    #expect(id.description == text)
  }

  @Test(arguments: ["", "7", "-7", "a-", "a-b", "a-1-2", "a-18446744073709551616", "a- 1"])
  func `an invalid event ID is refused`(_ text: String) {
    #expect(EventID(text) == nil)
  }
}
