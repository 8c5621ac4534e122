import TestSupport
import Testing

@testable import API
@testable import Console

@Suite struct EventStreamReaderTests {
  private func parse(_ lines: [String]) throws -> [RigEventItem] {
    var reader = EventStreamReader<RigEvent>()
    return try lines.compactMap { try reader.take($0) }
  }

  private static let event = RigEvent(
    id: 7, timeNanoseconds: 5, payload: .press(Samples.refused))

  @Test func `events are read`() throws {
    let json = String(decoding: try APICoding.encode(Self.event), as: UTF8.self)
    let items = try parse([
      ": listening", "", "id: r-7", "event: press", "data: \(json)", "", ": alive", "",
      "event: missed", "data: {\"count\":3}", "", "event: press", "data:\(json)", "", "data",
    ])
    #expect(
      items == [
        .listening, .event(Self.event, id: "r-7"), .missed(MissedEvents(count: 3)),
        .event(Self.event, id: "r-7"),
      ])
  }

  @Test func `data in an unknown form is an error`() {
    #expect(throws: RigClientError.self) { try parse(["data: {\"id\":1}", ""]) }
    #expect(throws: RigClientError.self) { try parse(["event: missed", "data: x", ""]) }
  }

  @Test func `no line breaks the reader`() {
    var generator = TestSeed.generator()
    let parts = ["id", "event", "data", "retry", ":", " ", "{}", "missed", "\u{0}", "7", ""]
    var reader = EventStreamReader<RigEvent>()
    var failures = 0
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0..<5, using: &generator))
        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      do { _ = try reader.take(line) } catch { failures += 1 }
    }
    #expect(failures > 0, "seed \(TestSeed.value)")
  }
}
