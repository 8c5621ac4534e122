/// A key of a JSON object, whatever its spelling.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Refuses an object that has a key which nobody would read, so that a misspelling is noticed.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, or `DecodingError` when the
  ///   value is no object.
  func refuseKeys(notIn known: [String]) throws {
    let keys = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let stranger = keys.sorted().first(where: { !known.contains($0) }) else { return }
    let expected =
      known.isEmpty ? "no key is expected" : "expected: \(known.joined(separator: ", "))"
    throw APIError(.invalidRequest, "The key \"\(stranger.prefix(40))\" is unknown; \(expected).")
  }
}

/// A body that carries nothing: `{}`.
struct EmptyObject: Decodable {
  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: [])
  }
}
