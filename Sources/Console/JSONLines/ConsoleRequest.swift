import API

/// A line that a program gives the console: what to run.
public struct ConsoleRequest: Sendable, Hashable {
  /// The longest line, in bytes.
  public static let maximumBytes = 65_536

  /// What the answer is told apart by; `nil` when the program does not say.
  public let id: JSONValue?
  /// The command's words.
  public let command: [String]
  /// The word that confirms a command which interrupts or destroys.
  public let confirm: String?

  /// Why a line is no request, and its ID as far as that can be read.
  public struct Refusal: Error, Sendable, Hashable {
    /// The ID.
    public let id: JSONValue?
    /// One sentence.
    public let message: String
  }

  /// Reads a line.
  ///
  /// - Throws: ``Refusal``.
  public static func read(_ line: String) throws(Refusal) -> ConsoleRequest {
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

/// A line that the console gives a program: what came of a request.
public struct ConsoleAnswer: Sendable, Hashable, Codable {
  /// Why a command failed.
  public struct Failure: Sendable, Hashable, Codable {
    /// The kind: a code of the API, or `usage`, `confirmation`, `unreachable`, `interrupted` or
    /// `failed`.
    public let code: String
    /// What people would be told.
    public let message: String

    /// Makes a failure.
    public init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// The request's ID; `null` when it had none.
  public let id: JSONValue
  /// The command's exit status; 0 when all went well.
  public let status: Int32
  /// What the command printed, an object each.
  public let output: [JSONValue]
  /// Why it failed; `nil` when it did not.
  public let error: Failure?

  /// Makes an answer.
  public init(id: JSONValue?, status: Int32, output: [JSONValue] = [], error: Failure? = nil) {
    self.id = id ?? .null
    self.status = status
    self.output = output
    self.error = error
  }

  /// The answer as one line, without its end.
  public var line: String {
    // What was read as JSON can be written as JSON.
    (try? APICoding.encode(self)).map { String(decoding: $0, as: UTF8.self) }
      ?? #"{"id":null,"output":[],"status":70}"#
  }

  /// What a printed line is in an answer: the object that it holds, or else the text itself.
  public static func output(_ line: String) -> JSONValue {
    if let value = try? APICoding.decode(JSONValue.self, from: line.utf8), case .object = value {
      return value
    }
    return .object(["text": .string(line)])
  }
}
