import Testing

@testable import Transfer

@Suite struct EventStreamParserTests {
  private func parse(_ lines: [String]) throws -> [StreamElement] {
    var parser = EventStreamParser()
    return try lines.compactMap { try parser.take($0) }
  }

  @Test func `the examples of the standard are read`() throws {
    // WHATWG HTML §9.2.6.
    #expect(
      try parse(["data: YHOO", "data: +2", "data: 10", ""])
        == [.event(StreamedEvent(data: "YHOO\n+2\n10"))])
    #expect(
      try parse([
        ": test stream", "", "data: first event", "id: 1", "", "data:second event", "id", "",
        "data:  third event", "",
      ]) == [
        .comment(" test stream"), .event(StreamedEvent(id: "1", data: "first event")),
        .event(StreamedEvent(data: "second event")), .event(StreamedEvent(data: " third event")),
      ])
    #expect(
      try parse(["data", "", "data", "data", "", "data:"])
        == [.event(StreamedEvent(data: "")), .event(StreamedEvent(data: "\n"))])
    #expect(try parse(["data:test", "", "data: test", ""]).count == 2)
  }

  @Test func `names and IDs are kept as in the standard`() throws {
    #expect(
      try parse([
        "\u{FEFF}event: a", "id: 1", "data: x", "", "event: b", "", "id: 2\0", "data: y", "",
      ]) == [
        .event(StreamedEvent(id: "1", name: "a", data: "x")),
        .event(StreamedEvent(id: "1", data: "y")),
      ])
  }

  @Test func `a combining character after a colon does not hide the colon`() throws {
    #expect(try parse(["data:\u{301}x", ""]) == [.event(StreamedEvent(data: "\u{301}x"))])
    #expect(try parse([":\u{301}"]) == [.comment("\u{301}")])
  }

  @Test func `an event has a limit`() throws {
    var parser = EventStreamParser(maximumDataBytes: 10)
    let elements = try ["data: 12345", "data: 6789", "", "data: 1234567890"].map {
      try parser.take($0)
    }
    #expect(elements == [nil, nil, .event(StreamedEvent(data: "12345\n6789")), nil])
    #expect(throws: EventStreamParser.EventTooLong.self) { try parser.take("data:") }
  }
}
