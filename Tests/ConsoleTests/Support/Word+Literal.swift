package import API

/// Tests write words as they are sent, also those that no version knows.
extension Word: ExpressibleByStringLiteral {
  package init(stringLiteral word: String) { self.init(rawValue: word) }
}
