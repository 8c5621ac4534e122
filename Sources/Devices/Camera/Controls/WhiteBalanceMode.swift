extension CameraControls {
  /// The mode of the white balance (`AVCaptureDevice.WhiteBalanceMode`).
  package enum WhiteBalanceMode: Sendable, Hashable {
    /// The camera follows the light's color.
    case continuousAutoWhiteBalance
    /// The gains stay as they are; at a start, those are the camera's initial gains.
    case locked
    /// Fixed gains.
    case custom(WhiteBalanceGains)

    /// A mode without its numbers.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case continuousAutoWhiteBalance, locked, custom
    }

    /// The mode without its numbers.
    package var kind: Kind {
      switch self {
      case .continuousAutoWhiteBalance: .continuousAutoWhiteBalance
      case .locked: .locked
      case .custom: .custom
      }
    }
  }
}

/// Gains of red and blue against green (libcamera's `ColourGains`).
package struct WhiteBalanceGains: Sendable, Hashable, Codable {
  /// The gains that some camera may have, as factors.
  package static let range = 0.01...100.0

  /// The gain of red as a factor, above 0.
  package var red: Double
  /// The gain of blue as a factor, above 0.
  package var blue: Double

  package init(red: Double, blue: Double) {
    self.red = red
    self.blue = blue
  }
}

extension CameraControls.WhiteBalanceMode: ControlWord {
  static let name = "white-balance mode"
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { \.whiteBalanceModes }

  var numbers: [Double] {
    guard case .custom(let gains) = self else { return [] }
    return [gains.red, gains.blue]
  }

  static func limit(
    _ kind: Kind, to ranges: [ClosedRange<Double>?], in capabilities: inout CameraCapabilities
  ) {
    guard kind == .custom, let gains = ranges.first else { return }
    capabilities.whiteBalanceGains = gains
  }

  func refusal(by capabilities: CameraCapabilities) -> String? {
    guard case .custom(let gains) = self else { return nil }
    let name = "a white-balance gain"
    return CameraCapabilities.outside(name, gains.red, of: capabilities.whiteBalanceGains)
      ?? CameraCapabilities.outside(name, gains.blue, of: capabilities.whiteBalanceGains)
  }

  func text(_ figure: (Double, String) -> String) -> String? {
    switch self {
    case .continuousAutoWhiteBalance: "white balance auto"
    case .locked: "white balance locked"
    case .custom(let gains):
      "white balance red \(figure(gains.red, "")) blue \(figure(gains.blue, ""))"
    }
  }
}

extension CameraControls.WhiteBalanceMode: Codable {
  private enum Key: String, CodingKey, CaseIterable { case red, blue }

  /// Reads a mode: a word, or an object with the gains of red and blue.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "auto"?: self = .continuousAutoWhiteBalance
    case "locked"?: self = .locked
    case let word?:
      throw InvalidValue.unknownWord(
        word, of: "whiteBalance", ["own", "auto", "locked", "an object"])
    case nil:
      try decoder.requireKeys(among: Key.allCases.map(\.rawValue))
      self = .custom(try WhiteBalanceGains(from: decoder))
    }
  }

  /// Writes the mode.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .continuousAutoWhiteBalance: try encoder.encode(word: "auto")
    case .locked: try encoder.encode(word: "locked")
    case .custom(let gains): try gains.encode(to: encoder)
    }
  }

  /// Checks that some camera may have the gains of the mode.
  ///
  /// - Throws: ``InvalidValue`` for a gain out of its range.
  package func check() throws(InvalidValue) {
    guard case .custom(let gains) = self else { return }
    try InvalidValue.require(gains.red, in: WhiteBalanceGains.range, "whiteBalance.red")
    try InvalidValue.require(gains.blue, in: WhiteBalanceGains.range, "whiteBalance.blue")
  }
}
