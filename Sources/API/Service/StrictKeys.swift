import Devices

extension Decoder {
  /// Returns the container of an object that may have some keys only, so that a misspelling is
  /// noticed.
  ///
  /// A `null` is refused: it could mean "unset" and "leave unchanged".
  ///
  /// - Throws: ``Devices/InvalidValue``, ``APIError``, or `DecodingError` when the value is no
  ///   object.
  func container<Key: CodingKey>(of keys: [Key]) throws -> KeyedDecodingContainer<Key> {
    try requireKeys(among: keys.map(\.stringValue))
    let object = try container(keyedBy: Key.self)
    try object.refuseNulls()
    return object
  }
}

extension KeyedDecodingContainer {
  /// Refuses keys whose value is `null`.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``.
  func refuseNulls() throws {
    for key in allKeys where try decodeNil(forKey: key) {
      throw APIError(
        .invalidRequest,
        "The value of \"\(key.stringValue)\" must not be null; leave the key out to keep what holds."
      )
    }
  }

  /// Reads a number that must be in a range.
  ///
  /// - Returns: `nil` when the key is missing.
  /// - Throws: ``Devices/InvalidValue`` for a number out of its range, or `DecodingError` for a
  ///   value that is no such number.
  func decodeIfPresent<Number: Comparable & Decodable>(
    _ key: Key, in range: ClosedRange<Number>
  ) throws -> Number? {
    let number = try decodeIfPresent(Number.self, forKey: key)
    if let number { try InvalidValue.require(number, in: range, key.stringValue) }
    return number
  }

  /// Reads a number that must be there and in a range.
  ///
  /// - Throws: ``Devices/InvalidValue`` for a number out of its range, or `DecodingError` for no
  ///   such number.
  func decode<Number: Comparable & Decodable>(
    _ key: Key, in range: ClosedRange<Number>
  ) throws -> Number {
    try decodeIfPresent(key, in: range) ?? decode(Number.self, forKey: key)
  }

  /// Reads a word of a closed set.
  ///
  /// - Returns: `nil` when the key is missing.
  /// - Throws: ``Devices/InvalidValue`` for another word, or `DecodingError` for a value that is no
  ///   word.
  func decodeWordIfPresent<Value: RawRepresentable<String> & CaseIterable>(
    _ key: Key
  ) throws -> Value? {
    guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let value = Value(rawValue: word) else {
      throw InvalidValue.unknownWord(word, of: key.stringValue, Value.allCases.map(\.rawValue))
    }
    return value
  }
}

/// An empty body: `{}`.
struct EmptyObject: Decodable {
  init(from decoder: any Decoder) throws {
    try decoder.requireKeys(among: [])
  }
}
