/// Completion and help for a line that is being typed.
package protocol LineGuide: Sendable {
  /// Completes a line for the Tab key.
  ///
  /// - Parameter line: the text before the cursor.
  /// - Returns: the text to add to the line, and lines that list the choices.
  func complete(_ line: String) -> (insertion: String, lines: [String])

  /// Returns help for the question mark.
  ///
  /// - Parameter line: the text before the cursor.
  /// - Returns: `nil` where a question mark is a mere character: within a word or quotes.
  func help(_ line: String) -> [String]?
}
