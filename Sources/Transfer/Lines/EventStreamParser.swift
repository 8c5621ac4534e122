/// An element that a line of an event stream completes.
package enum StreamElement: Sendable, Hashable {
  /// A comment, which servers send as a sign of life.
  case comment(String)
  /// An event.
  case event(StreamedEvent)
}

/// A server-sent event.
package struct StreamedEvent: Sendable, Hashable {
  /// The last ID in the stream so far; empty if there is none.
  package var id = ""
  /// The kind of event; `message` if the stream names none.
  package var name = "message"
  /// The lines of data, joined by line feeds.
  package var data: String
}

/// A parser of server-sent events, line by line (WHATWG HTML §9.2.6).
package struct EventStreamParser: Sendable {
  /// The error of an event with too much data.
  package struct EventTooLong: Error, Hashable {}

  private let maximumDataBytes: Int
  private var isFirstLine = true
  private var id = ""
  private var name = ""
  private var data: [String] = []
  private var dataBytes = 0

  /// Creates a parser.
  ///
  /// - Parameter maximumDataBytes: the most bytes of an event's data.
  package init(maximumDataBytes: Int = 1 << 20) {
    self.maximumDataBytes = maximumDataBytes
  }

  /// Takes a line without its terminator.
  ///
  /// - Returns: the element that this line completes; `nil` if there is none.
  /// - Throws: ``EventTooLong``.
  package mutating func take(_ line: String) throws(EventTooLong) -> StreamElement? {
    var line = line[...]
    if isFirstLine {
      isFirstLine = false
      if line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    }
    if line.isEmpty { return dispatch() }
    // Scalars are compared instead of characters, because a combining mark would hide the colon.
    guard let colon = line.unicodeScalars.firstIndex(of: ":") else {
      try field(line, "")
      return nil
    }
    var value = line.unicodeScalars[line.unicodeScalars.index(after: colon)...]
    if colon == line.startIndex { return .comment(String(Substring(value))) }
    if value.first == " " { value.removeFirst() }
    try field(line[..<colon], Substring(value))
    return nil
  }

  private mutating func field(_ name: Substring, _ value: Substring) throws(EventTooLong) {
    switch name {
    case "id": if !value.unicodeScalars.contains("\0") { id = String(value) }
    case "event": self.name = String(value)
    case "data":
      dataBytes += value.utf8.count + 1
      guard dataBytes <= maximumDataBytes + 1 else { throw EventTooLong() }
      data.append(String(value))
    default: break
    }
  }

  private mutating func dispatch() -> StreamElement? {
    defer {
      name = ""
      data = []
      dataBytes = 0
    }
    guard !data.isEmpty else { return nil }
    return .event(
      StreamedEvent(
        id: id, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n")))
  }
}
