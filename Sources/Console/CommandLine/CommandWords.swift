/// A line of the console as words.
///
/// Spaces and tabs separate words. Single quotes keep everything unchanged. Double quotes keep
/// everything except `\"` and `\\`. A backslash elsewhere keeps the next character. Nothing is
/// expanded or run: there are no variables, patterns, pipes or substitutions.
package struct CommandWords: Sendable, Hashable {
  /// The reason why a line cannot be split into words.
  package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A quote has no end.
    case openQuote(Unicode.Scalar)
    /// The last character is a backslash.
    case openBackslash
    /// The line contains a control character.
    case controlCharacter(Unicode.Scalar)

    /// A sentence with the problem and its remedy.
    package var description: String {
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

  /// The complete words, each followed by a space or a tab.
  package private(set) var complete: [String] = []
  /// The word at the end of the line, which may still grow; `nil` after a space.
  package private(set) var unfinished: String?
  /// The problem that keeps the line from being run; `nil` if there is none.
  package private(set) var problem: Problem?
  /// Whether the unfinished word contains quotes or backslashes.
  package private(set) var isUnfinishedQuoted = false

  /// Parses a line with any content.
  ///
  /// - Complexity: O(n).
  package init(reading line: String) {
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

  /// Returns the words of a line.
  ///
  /// - Throws: ``Problem``.
  package static func split(_ line: String) throws(Problem) -> [String] {
    let words = CommandWords(reading: line)
    if let problem = words.problem { throw problem }
    return words.complete + (words.unfinished.map { [$0] } ?? [])
  }

  /// Returns a line that ``split(_:)`` turns into these words, if none has control characters.
  package static func join(_ words: [String]) -> String {
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
    /// The scanner is between words.
    case between
    /// The scanner is in a word, outside quotes.
    case bare
    /// The scanner is inside quotes, perhaps after a backslash there.
    case quoted(Unicode.Scalar, isKept: Bool)
    /// The scanner is after a backslash outside quotes.
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

  /// Returns whether a character is a control character other than the tab, which separates words.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\t" && scalar.properties.generalCategory == .control
  }
}
