/// A value that a setting cannot have, explained in a sentence.
package struct InvalidValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence, which names the setting and quotes the value.
  package let description: String

  /// Makes the error for an unknown word.
  package static func unknownWord(
    _ word: String, of key: String, _ words: [String]
  ) -> InvalidValue {
    InvalidValue(
      description: "The value \"\(word.prefix(40))\" of \"\(key)\" is unknown; there are: "
        + "\(words.joined(separator: ", ")).")
  }

  /// Checks that a number is in its range.
  ///
  /// - Throws: ``InvalidValue`` for a number out of range.
  package static func require<Number: Comparable>(
    _ value: Number, in range: ClosedRange<Number>, _ key: String
  ) throws(InvalidValue) {
    guard range.contains(value) else { throw outOfRange(value, range, key) }
  }

  /// Makes the error for a number out of its range.
  package static func outOfRange<Number: Comparable>(
    _ value: Number, _ range: ClosedRange<Number>, _ key: String
  ) -> InvalidValue {
    InvalidValue(
      description: "The value of \"\(key)\" must be from \(range.lowerBound) to "
        + "\(range.upperBound), not \(value).")
  }
}

/// A key of a JSON object with any spelling.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// The value when it is a string.
  package var word: String? { try? singleValueContainer().decode(String.self) }

  /// Checks that an object has known keys only, so that a misspelling is noticed.
  ///
  /// - Throws: ``InvalidValue``, or `DecodingError` when the value is no object.
  package func requireKeys(among known: [String]) throws {
    let keys = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let stranger = keys.sorted().first(where: { !known.contains($0) }) else { return }
    let expected =
      known.isEmpty ? "no key is expected" : "expected: \(known.joined(separator: ", "))"
    throw InvalidValue(
      description: "The key \"\(stranger.prefix(40))\" is unknown; \(expected).")
  }
}
