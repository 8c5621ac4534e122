import Devices

extension Decoder {
  /// Refuses an object with an unknown key, so that a misspelling is noticed.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, or `DecodingError` when the
  ///   value is no object.
  func refuseKeys(notIn known: [String]) throws {
    do {
      try requireKeys(among: known)
    } catch let error as InvalidValue {
      throw APIError(error)
    }
  }
}

extension APIError {
  /// Makes the error for a value that a setting cannot have.
  init(_ error: InvalidValue) {
    self.init(.invalidRequest, error.description)
  }
}

extension KeyedDecodingContainer {
  /// Refuses keys whose value is `null`, which could mean "unset" and "leave unchanged".
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

  /// Reads one of the words that a key may have.
  ///
  /// - Returns: `nil` when the key is missing.
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, for another word, or
  /// `DecodingError` for a value that is no word.
  func decodeWordIfPresent(_ key: Key, oneOf words: [String]) throws -> String? {
    guard let word = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard words.contains(word) else { throw unknownWord(word, of: key.stringValue, words) }
    return word
  }
}

/// An empty body: `{}`.
struct EmptyObject: Decodable {
  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: [])
  }
}
