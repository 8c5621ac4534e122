import Devices

/// The wanted frames a second; in JSON a number or `own`.
package enum FrameRateSetting: Sendable, Hashable, Codable {
  /// The camera's own frame rate.
  case own
  /// A number of frames a second, 0.01...1000.
  case fixed(Double)

  /// Reads a setting.
  ///
  /// - Throws: `DecodingError`, or ``Devices/InvalidValue`` for a word or a number that is not
  ///   allowed.
  package init(from decoder: any Decoder) throws {
    if let word = decoder.word {
      guard word == "own" else {
        throw InvalidValue.unknownWord(word, of: "frameRate", ["own", "a number"])
      }
      self = .own
      return
    }
    let rate = try decoder.singleValueContainer().decode(Double.self)
    try InvalidValue.require(rate, in: 0.01...1000, "frameRate")
    self = .fixed(rate)
  }

  /// Writes the setting.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .own: try container.encode("own")
    case .fixed(let rate): try container.encode(rate)
    }
  }
}
