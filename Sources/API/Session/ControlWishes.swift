/// The wanted frames a second; in JSON a number or `own`.
package enum FrameRateWish: Sendable, Hashable, Codable {
  /// The camera's own frame rate.
  case own
  /// A number of frames a second, 0.01...1000.
  case fixed(Double)

  /// Reads a wish.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for a word or a number that is not allowed.
  package init(from decoder: any Decoder) throws {
    if let word = decoder.word {
      guard word == "own" else { throw unknownWord(word, of: "frameRate", ["own", "a number"]) }
      self = .own
      return
    }
    let rate = try decoder.singleValueContainer().decode(Double.self)
    try require(rate, in: 0.01...1000, "frameRate")
    self = .fixed(rate)
  }

  /// Writes the wish.
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

/// The wanted mode of exposure; in JSON a word or an object.
package enum ExposureWish: Sendable, Hashable, Codable {
  /// The camera's own mode.
  case own
  /// The camera follows the light.
  case auto
  /// The exposure stays what it is.
  case locked
  /// The exposure time of each row, 1 µs to 60 s, and the gain as a factor, 1...1000.
  case fixed(durationMicroseconds: Double, gain: Double)

  private enum Key: String, CodingKey, CaseIterable { case durationMicroseconds, gain }

  /// Reads a wish.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "own"?: self = .own
    case "auto"?: self = .auto
    case "locked"?: self = .locked
    case let word?: throw unknownWord(word, of: "exposure", ["own", "auto", "locked", "an object"])
    case nil:
      try decoder.refuseKeys(notIn: Key.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: Key.self)
      let duration = try container.decode(Double.self, forKey: .durationMicroseconds)
      let gain = try container.decode(Double.self, forKey: .gain)
      try require(duration, in: 1...60_000_000, "exposure.durationMicroseconds")
      try require(gain, in: 1...1000, "exposure.gain")
      self = .fixed(durationMicroseconds: duration, gain: gain)
    }
  }

  /// Writes the wish.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .own: try encoder.encode(word: "own")
    case .auto: try encoder.encode(word: "auto")
    case .locked: try encoder.encode(word: "locked")
    case .fixed(let duration, let gain):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(duration, forKey: .durationMicroseconds)
      try container.encode(gain, forKey: .gain)
    }
  }
}

/// The wanted mode of white balance; in JSON a word or an object.
package enum WhiteBalanceWish: Sendable, Hashable, Codable {
  /// The camera's own mode.
  case own
  /// The camera follows the light's color.
  case auto
  /// The gains stay what they are.
  case locked
  /// The gains of red and blue against green, 0.01...100.
  case fixed(red: Double, blue: Double)

  private enum Key: String, CodingKey, CaseIterable { case red, blue }

  /// Reads a wish.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "own"?: self = .own
    case "auto"?: self = .auto
    case "locked"?: self = .locked
    case let word?:
      throw unknownWord(word, of: "whiteBalance", ["own", "auto", "locked", "an object"])
    case nil:
      try decoder.refuseKeys(notIn: Key.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: Key.self)
      let red = try container.decode(Double.self, forKey: .red)
      let blue = try container.decode(Double.self, forKey: .blue)
      try require(red, in: 0.01...100, "whiteBalance.red")
      try require(blue, in: 0.01...100, "whiteBalance.blue")
      self = .fixed(red: red, blue: blue)
    }
  }

  /// Writes the wish.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .own: try encoder.encode(word: "own")
    case .auto: try encoder.encode(word: "auto")
    case .locked: try encoder.encode(word: "locked")
    case .fixed(let red, let blue):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(red, forKey: .red)
      try container.encode(blue, forKey: .blue)
    }
  }
}

/// The wanted mode of focus; in JSON a word or an object.
package enum FocusWish: Sendable, Hashable, Codable {
  /// The camera's own mode.
  case own
  /// The camera follows the subject's distance.
  case continuous
  /// The camera looks for the focus once, then keeps it.
  case auto
  /// The lens stays where it is.
  case locked
  /// The lens position in diopters, 0...100: 0 is infinity, 2 is half a meter.
  case fixed(dioptres: Double)

  private enum Key: String, CodingKey, CaseIterable { case dioptres }

  /// Reads a wish.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "own"?: self = .own
    case "continuous"?: self = .continuous
    case "auto"?: self = .auto
    case "locked"?: self = .locked
    case let word?:
      throw unknownWord(word, of: "focus", ["own", "continuous", "auto", "locked", "an object"])
    case nil:
      try decoder.refuseKeys(notIn: Key.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: Key.self)
      let dioptres = try container.decode(Double.self, forKey: .dioptres)
      try require(dioptres, in: 0...100, "focus.dioptres")
      self = .fixed(dioptres: dioptres)
    }
  }

  /// Writes the wish.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .own: try encoder.encode(word: "own")
    case .continuous: try encoder.encode(word: "continuous")
    case .auto: try encoder.encode(word: "auto")
    case .locked: try encoder.encode(word: "locked")
    case .fixed(let dioptres):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(dioptres, forKey: .dioptres)
    }
  }
}

/// The mains frequency that the automatic exposure must not beat with; in JSON 50, 60 or `off`.
package enum FlickerWish: Int, Sendable, Hashable, Codable {
  /// No frequency.
  case off = 0
  /// 50 Hz.
  case hertz50 = 50
  /// 60 Hz.
  case hertz60 = 60

  /// Reads a wish.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    let words = ["off", "50", "60"]
    if let word = decoder.word {
      guard word == "off" else { throw unknownWord(word, of: "flicker", words) }
      self = .off
      return
    }
    let hertz = try decoder.singleValueContainer().decode(Int.self)
    guard hertz != 0, let wish = FlickerWish(rawValue: hertz) else {
      throw unknownWord("\(hertz)", of: "flicker", words)
    }
    self = wish
  }

  /// Writes the wish.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    if self == .off {
      try encoder.encode(word: "off")
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }
  }
}

extension Decoder {
  /// The value when it is a string.
  fileprivate var word: String? { try? singleValueContainer().decode(String.self) }
}

extension Encoder {
  fileprivate func encode(word: String) throws {
    var container = singleValueContainer()
    try container.encode(word)
  }
}
