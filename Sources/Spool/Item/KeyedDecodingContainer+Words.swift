import Devices

/// The words of closed sets in metadata, of which a later version may have written others.
///
/// The derived reading of a sidecar calls these methods. A word that has no value here is left out,
/// because the picture and its other metadata are still good.
extension KeyedDecodingContainer {
  /// Reads a word; `nil` for an unknown word and for none.
  ///
  /// - Throws: `DecodingError` for a value that is no text.
  func decodeIfPresent<Word: RawRepresentable<String> & CaseIterable & Decodable>(
    _ type: Word.Type, forKey key: Key
  ) throws -> Word? {
    try decodeIfPresent(String.self, forKey: key).flatMap { Word(rawValue: $0) }
  }

  /// Reads words without the unknown ones; `nil` for no list, and when none is known.
  ///
  /// - Throws: `DecodingError` for a value that is no list of texts.
  func decodeIfPresent<Word: RawRepresentable<String> & CaseIterable & Decodable>(
    _ type: [Word].Type, forKey key: Key
  ) throws -> [Word]? {
    let words = try decodeIfPresent([String].self, forKey: key) ?? []
    let known = words.compactMap { Word(rawValue: $0) }
    return known.isEmpty ? nil : known
  }

  /// Reads the trust in a time; an unknown word is no trust.
  ///
  /// - Throws: `DecodingError` for no text.
  func decode(_ type: WallTrust.Type, forKey key: Key) throws -> WallTrust {
    WallTrust(rawValue: try decode(String.self, forKey: key)) ?? .unknown
  }
}
