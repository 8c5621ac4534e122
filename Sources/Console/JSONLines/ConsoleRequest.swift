import API

/// A request line from a program: the command to run.
package struct ConsoleRequest: Sendable, Hashable {
  /// The longest line, in bytes.
  package static let maximumBytes = 65_536

  /// The ID that the answer repeats; `nil` if the program gave none.
  package let id: JSONValue?
  /// The command's words.
  package let command: [String]
  /// The confirmation word for a command that interrupts or destroys.
  package let confirm: String?

  /// The reason why a line is not a request, with the ID if that can be read.
  package struct Refusal: Error, Sendable, Hashable {
    /// The request's ID.
    package let id: JSONValue?
    /// The problem in a sentence.
    package let message: String
  }

  /// Parses a line.
  ///
  /// - Throws: ``Refusal``.
  package static func read(_ line: String) throws(Refusal) -> ConsoleRequest {
    let value: JSONValue
    do {
      value = try APICoding.decode(JSONValue.self, from: line.utf8)
    } catch {
      throw Refusal(id: nil, message: "The line is not JSON.")
    }
    guard case .object(let object) = value else {
      throw Refusal(id: nil, message: "The line is no JSON object.")
    }
    let id = object["id"]
    let known = ["id", "command", "confirm"]
    if let stranger = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw Refusal(
        id: id,
        message: "The key \"\(PlainText.escaping(String(stranger.prefix(40))))\" is unknown; "
          + "expected: \(known.joined(separator: ", ")).")
    }
    guard case .array(let words) = object["command"], !words.isEmpty else {
      throw Refusal(
        id: id, message: "The value of \"command\" must be a list of words, [\"status\"] say.")
    }
    var command: [String] = []
    for word in words {
      guard case .string(let text) = word else {
        throw Refusal(id: id, message: "The value of \"command\" must have nothing but words.")
      }
      command.append(text)
    }
    switch object["confirm"] {
    case nil: return ConsoleRequest(id: id, command: command, confirm: nil)
    case .string(let word): return ConsoleRequest(id: id, command: command, confirm: word)
    default: throw Refusal(id: id, message: "The value of \"confirm\" must be a word.")
    }
  }
}

/// An answer line to a program: the result of a request.
package struct ConsoleAnswer: Sendable, Hashable, Codable {
  /// The reason why a command failed.
  package struct Failure: Sendable, Hashable, Codable {
    /// The kind of failure.
    ///
    /// The kind is a code of the API, or `usage`, `confirmation`, `unreachable`, `interrupted` or
    /// `failed`.
    package let code: String
    /// The message that people would see.
    package let message: String
  }

  /// The request's ID; `null` without one.
  package let id: JSONValue
  /// The command's exit status; 0 for success.
  package let status: Int32
  /// The command's output, one object per line.
  package let output: [JSONValue]
  /// The reason of a failure; `nil` after success.
  package let error: Failure?

  package init(id: JSONValue?, status: Int32, output: [JSONValue] = [], error: Failure? = nil) {
    self.id = id ?? .null
    self.status = status
    self.output = output
    self.error = error
  }

  /// The answer as one line without a terminator.
  package var line: String {
    // A value that was decoded from JSON can always be encoded as JSON.
    (try? APICoding.encode(self)).map { String(decoding: $0, as: UTF8.self) }
      ?? #"{"id":null,"output":[],"status":70}"#
  }

  /// Returns the object that a printed line holds, or else an object with the line's text.
  package static func output(_ line: String) -> JSONValue {
    if let value = try? APICoding.decode(JSONValue.self, from: line.utf8), case .object = value {
      return value
    }
    return .object(["text": .string(line)])
  }
}
