extension CameraControls {
  /// The mains frequency that the automatic exposure must not beat with.
  ///
  /// The values are those of libcamera's `AeFlickerMode`. Lamps flicker at twice the frequency; an
  /// exposure that is no multiple of that period shows bands.
  package enum FlickerAvoidance: String, Sendable, Hashable, CaseIterable {
    /// No avoidance, which every camera accepts.
    case off
    /// 50 Hz: exposures in steps of 10 ms.
    case hertz50 = "50"
    /// 60 Hz: exposures in steps of 8.33 ms.
    case hertz60 = "60"
  }
}

extension CameraControls.FlickerAvoidance: ControlWord {
  typealias Kind = CameraControls.FlickerAvoidance
  static let name = "flicker avoidance"
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { \.flickerAvoidances }
  var kind: CameraControls.FlickerAvoidance { self }

  func text(_ figure: (Double, String) -> String) -> String? {
    hertz.map { "flicker \($0) Hz" }
  }
}

extension CameraControls.FlickerAvoidance: Codable {
  /// Reads an avoidance: 50, 60 or the word `off`.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for another word or number.
  package init(from decoder: any Decoder) throws {
    let word = decoder.word
    if word == Self.off.rawValue {
      self = .off
      return
    }
    let text: String
    if let word {
      text = word
    } else {
      text = String(try decoder.singleValueContainer().decode(Int.self))
    }
    // A frequency is a number, not a string of digits.
    guard word == nil, let avoidance = Self(rawValue: text) else {
      throw InvalidValue.unknownWord(text, of: "flicker", Self.allCases.map(\.rawValue))
    }
    self = avoidance
  }

  /// Writes the avoidance.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let hertz { try container.encode(hertz) } else { try container.encode(rawValue) }
  }

  /// The mains frequency in hertz, 50 or 60; `nil` for no avoidance.
  package var hertz: Int? { Int(rawValue) }
}
