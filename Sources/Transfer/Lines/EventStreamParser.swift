/// What a line of an event stream completes.
public enum StreamElement: Sendable, Hashable {
  /// A comment, which servers send to show that they are there.
  case comment(String)
  /// An event.
  case event(StreamedEvent)
}

/// A server-sent event.
public struct StreamedEvent: Sendable, Hashable {
  /// The last ID that the stream has named; empty when it has named none.
  public var id: String
  /// The kind of event; `message` when the stream names none.
  public var name: String
  /// The lines of data, joined by line feeds.
  public var data: String

  /// Makes an event.
  public init(id: String = "", name: String = "message", data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}

/// Reads server-sent events line by line (WHATWG HTML §9.2.6).
public struct EventStreamParser: Sendable {
  /// An event whose data is longer than allowed.
  public struct EventTooLong: Error, Hashable {}

  private let maximumDataBytes: Int
  private var isFirstLine = true
  private var id = ""
  private var name = ""
  private var data: [String] = []
  private var dataBytes = 0

  /// Makes a parser.
  ///
  /// - Parameter maximumDataBytes: the most bytes of one event's data.
  public init(maximumDataBytes: Int = 1 << 20) {
    self.maximumDataBytes = maximumDataBytes
  }

  /// Takes a line without its end.
  ///
  /// - Returns: what is complete with this line; `nil` when nothing is.
  /// - Throws: ``EventTooLong``.
  public mutating func take(_ line: String) throws(EventTooLong) -> StreamElement? {
    var line = line[...]
    if isFirstLine {
      isFirstLine = false
      if line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    }
    if line.isEmpty { return dispatch() }
    // Scalars and not characters: what combines with the colon would hide it.
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
