import API

/// Reads server-sent events line by line (WHATWG HTML §9.2.6).
struct EventStreamParser {
  private var hasBegun = false
  private var id = ""
  private var name = ""
  private var data: [String] = []

  init() {}

  /// Takes a line without its end.
  ///
  /// - Returns: what is complete with this line; `nil` when nothing is.
  /// - Throws: ``RigClientError``, `incomprehensible`, when an event's data is not the API's.
  mutating func take(_ line: String) throws(RigClientError) -> RigNews? {
    if line.isEmpty { return try dispatch() }
    guard let colon = line.firstIndex(of: ":") else {
      field(line, "")
      return nil
    }
    if colon == line.startIndex {
      defer { hasBegun = true }
      return hasBegun ? nil : .listening
    }
    let value = line[line.index(after: colon)...]
    field(String(line[..<colon]), String(value.first == " " ? value.dropFirst() : value))
    return nil
  }

  private mutating func field(_ name: String, _ value: String) {
    switch name {
    case "id": id = value
    case "event": self.name = value
    case "data": data.append(value)
    default: break
    }
  }

  private mutating func dispatch() throws(RigClientError) -> RigNews? {
    defer {
      name = ""
      data = []
    }
    guard !data.isEmpty else { return nil }
    let text = data.joined(separator: "\n")
    do {
      if name == "missed" {
        return .missed(try APICoding.decode(MissedEvents.self, from: text.utf8))
      }
      return .event(try APICoding.decode(RigEvent.self, from: text.utf8), id: id)
    } catch {
      throw .incomprehensible(error.message)
    }
  }
}
