/// A value of a control, or the camera's own; in JSON the value or the word `own`.
package enum OwnOr<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
  /// The camera's own value.
  case own
  /// A value that is set.
  case set(Value)

  /// Makes the camera's own value of `nil`.
  package init(_ value: Value?) {
    self = value.map { .set($0) } ?? .own
  }

  /// The value that is set; `nil` for the camera's own.
  package var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }

  /// Reads the word `own` or a value.
  ///
  /// - Throws: `DecodingError`, or an error of the value.
  package init(from decoder: any Decoder) throws {
    self = decoder.word == "own" ? .own : .set(try Value(from: decoder))
  }

  /// Writes the word `own` or the value.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .own: try encoder.encode(word: "own")
    case .set(let value): try value.encode(to: encoder)
    }
  }
}

extension Optional where Wrapped: Sendable & Hashable & Codable {
  /// The value of a control, or the camera's own for `nil`.
  var ownOr: OwnOr<Wrapped> {
    get { OwnOr(self) }
    set { self = newValue.value }
  }
}

extension Encoder {
  /// Writes a word.
  ///
  /// - Throws: `EncodingError`.
  func encode(word: String) throws {
    var container = singleValueContainer()
    try container.encode(word)
  }
}
