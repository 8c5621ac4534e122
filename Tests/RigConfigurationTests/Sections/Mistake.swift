import Testing

/// A mistake in the lines behind the shortest configuration, and the issue that it causes.
struct Mistake: Sendable, CustomTestStringConvertible {
  let text: String
  let line: Int
  let key: String
  /// A part of the problem.
  let fragment: String
  var testDescription: String { text.split(separator: "\n").joined(separator: "|") }

  init(_ text: String, _ line: Int, _ key: String, _ fragment: String) {
    (self.text, self.line, self.key, self.fragment) = (text, line, key, fragment)
  }
}
