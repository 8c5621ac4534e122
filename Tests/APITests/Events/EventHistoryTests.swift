import Testing

@testable import API

@Suite struct EventHistoryTests {
  private func history(limit: Int, count: UInt64) -> EventHistory<RigEvent> {
    var history = EventHistory<RigEvent>(limit: limit)
    for id in 1..<(count + 1) { history.append(event(id)) }
    return history
  }

  private func event(_ id: UInt64) -> RigEvent {
    RigEvent(
      id: id, timeNanoseconds: 0, payload: .readiness(ReadinessReport(state: "ready")))
  }

  /// Reads twice, the second time without a result.
  private func read(
    _ history: EventHistory<RigEvent>, from position: EventHistory<RigEvent>.Position
  ) -> [String] {
    var position = position
    let items = history.read(from: &position)
    let rest = history.read(from: &position)
    #expect(rest.isEmpty)
    return items.map(\.word)
  }

  /// The reference is the plain definition: all events after a number, the last `limit` of them.
  @Test func `kept events are replayed`() {
    for limit in 1...5 {
      for count in 0...12 as ClosedRange<UInt64> {
        let history = history(limit: limit, count: count)
        for number in 0...count {
          let wanted = Array(number..<count).map { $0 + 1 }
          let kept = wanted.suffix(limit)
          let missed = wanted.count - kept.count
          let words = (missed > 0 ? ["missed \(missed)"] : []) + kept.map { "\($0)" }
          #expect(read(history, from: history.position(after: number)) == words)
        }
      }
    }
  }

  @Test func `the bytes of kept events are limited`() {
    let lines = (1...5 as ClosedRange<UInt64>).map { id in
      LogEntry(
        id: id, time: "", timeNanoseconds: 0, level: "info", label: "platend",
        message: String(repeating: "ü", count: 1000))
    }
    var history = EventHistory<LogEntry>(limit: 9, maximumBytes: 3 * lines[0].bytes)
    for line in lines { history.append(line) }
    var position = history.position(after: 0)
    let items = history.read(from: &position)
    #expect(items.map(\.word) == ["missed 2", "3", "4", "5"])
  }

  @Test(arguments: [nil, 13, UInt64.max] as [UInt64?])
  func `an unknown number gets all events and a notice`(_ number: UInt64?) {
    let history = history(limit: 5, count: 12)
    let words = read(history, from: history.position(after: number))
    #expect(words == ["missed", "8", "9", "10", "11", "12"])
  }

  @Test func `gaps are counted`() {
    var history = history(limit: 9, count: 3)
    let position = history.end
    for number in [4, 6, 11, 12] as [UInt64] { history.append(event(number)) }
    #expect(read(history, from: position) == ["4", "missed 1", "6", "missed 4", "11", "12"])
  }

  @Test(arguments: [(1, ["missed 6", "7"]), (nil, ["7"])] as [(UInt64?, [String])])
  func `a gap before the first event is told if the first number is known`(
    _ first: UInt64?, _ words: [String]
  ) {
    var history = EventHistory<RigEvent>(limit: 9, first: first)
    let position = history.end
    history.append(event(7))
    #expect(read(history, from: position) == words)
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
