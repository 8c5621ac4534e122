/// A word of a closed set in a report; a later version may send a word that has no value here.
package struct Word<Value: RawRepresentable<String> & Sendable>: RawRepresentable, Sendable,
  Hashable, Codable, CodingKeyRepresentable, CustomStringConvertible
{
  /// The word as it was sent.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Makes the word of a value.
  package init(_ value: Value) { rawValue = value.rawValue }

  /// The value; `nil` for a word of a later version.
  package var value: Value? { Value(rawValue: rawValue) }

  /// The word.
  package var description: String { rawValue }
}
