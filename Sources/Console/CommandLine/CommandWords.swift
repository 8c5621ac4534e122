/// A line of the console as words.
///
/// Spaces and tabs part words. Single quotes keep everything as it is, double quotes everything but
/// `\"` and `\\`, and a backslash elsewhere keeps the next character. Nothing is ever expanded or
/// run: there are no variables, patterns, pipes or substitutions.
public struct CommandWords: Sendable, Hashable {
  /// Why a line is not made of words.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A quote has no end.
    case openQuote(Unicode.Scalar)
    /// The last character is a backslash.
    case openBackslash
    /// There is a character that controls a terminal.
    case controlCharacter(Unicode.Scalar)

    /// One sentence: what is wrong and what to do.
    public var description: String {
      switch self {
      case .openQuote(let quote):
        "The quote \(quote) has no end; close it, or write \\\(quote) for the character itself."
      case .openBackslash:
        "The line ends with a backslash that keeps nothing; write \\\\ for the character itself."
      case .controlCharacter(let scalar):
        "The line has the control character \(PlainText.escaping(String(scalar))); nothing was run."
      }
    }
  }

  /// The words that are complete: a space follows them, or the line's end where there is none.
  public private(set) var complete: [String] = []
  /// The word at the end of the line, which may still grow; `nil` after a space.
  public private(set) var unfinished: String?
  /// What keeps the line from being run as it is; `nil` when nothing does.
  public private(set) var problem: Problem?
  /// Whether the unfinished word has quotes or backslashes.
  public private(set) var isUnfinishedQuoted = false

  /// Reads a line, whatever it holds.
  ///
  /// - Complexity: O(n).
  public init(reading line: String) {
    var state = State.between
    for scalar in line.unicodeScalars {
      if problem == nil, Self.isControl(scalar) { problem = .controlCharacter(scalar) }
      take(scalar, &state)
    }
    switch state {
    case .between, .bare: break
    case .quoted(let quote, _): problem = problem ?? .openQuote(quote)
    case .kept: problem = problem ?? .openBackslash
    }
  }

  /// The words of a line.
  ///
  /// - Throws: ``Problem``.
  public static func split(_ line: String) throws(Problem) -> [String] {
    let words = CommandWords(reading: line)
    if let problem = words.problem { throw problem }
    return words.complete + (words.unfinished.map { [$0] } ?? [])
  }

  /// A line that ``split(_:)`` makes these words of, as long as they have no control characters.
  public static func join(_ words: [String]) -> String {
    words.map(quote).joined(separator: " ")
  }

  private static func quote(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar != " " && scalar != "\t" && scalar != "\"" && scalar != "'" && scalar != "\\"
    }
    if isPlain, !word.isEmpty { return word }
    guard word.unicodeScalars.contains("'") else { return "'\(word)'" }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in word.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    return String(quoted) + "\""
  }

  private enum State {
    /// No word has begun.
    case between
    /// In a word, outside quotes.
    case bare
    /// Inside quotes; after a backslash there.
    case quoted(Unicode.Scalar, isKept: Bool)
    /// After a backslash outside quotes.
    case kept
  }

  private mutating func take(_ scalar: Unicode.Scalar, _ state: inout State) {
    switch (state, scalar) {
    case (.between, " "), (.between, "\t"):
      break
    case (.bare, " "), (.bare, "\t"):
      complete.append(unfinished ?? "")
      unfinished = nil
      isUnfinishedQuoted = false
      state = .between
    case (.between, "'"), (.between, "\""), (.bare, "'"), (.bare, "\""):
      unfinished = unfinished ?? ""
      isUnfinishedQuoted = true
      state = .quoted(scalar, isKept: false)
    case (.between, "\\"), (.bare, "\\"):
      unfinished = unfinished ?? ""
      isUnfinishedQuoted = true
      state = .kept
    case (.quoted("\"", isKept: true), _):
      if scalar != "\"" && scalar != "\\" { append("\\") }
      append(scalar)
      state = .quoted("\"", isKept: false)
    case (.quoted("\"", isKept: false), "\\"):
      state = .quoted("\"", isKept: true)
    case (.quoted(let quote, isKept: false), _) where quote == scalar:
      state = .bare
    case (.quoted, _):
      append(scalar)
    case (.between, _), (.bare, _), (.kept, _):
      append(scalar)
      state = .bare
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    var view = (unfinished ?? "").unicodeScalars
    unfinished = nil
    view.append(scalar)
    unfinished = String(view)
  }

  /// Tabs part words; everything else that moves a cursor has no place in a command.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\t" && scalar.properties.generalCategory == .control
  }
}
