/// Completion and help for a line that is being typed.
public protocol LineGuide: Sendable {
  /// What the Tab key does.
  ///
  /// - Parameter line: what stands before the cursor.
  /// - Returns: what is added to the line, and lines that tell what there is to choose from.
  func complete(_ line: String) -> (insertion: String, lines: [String])

  /// What the question mark shows.
  ///
  /// - Parameter line: what stands before the cursor.
  /// - Returns: `nil` where a question mark is only a character: within a word, and within quotes.
  func help(_ line: String) -> [String]?
}
