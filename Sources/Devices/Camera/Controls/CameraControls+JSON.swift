// The JSON of the controls, for the API and for the camera process.
//
// A reader takes all numbers, so that a camera can refuse those that it lacks. The function `check`
// of each mode refuses the numbers that no camera has.

extension CameraControls: Codable {
  private enum Key: String, CodingKey {
    case zoom, exposure, whiteBalance, focus, flicker, noiseReduction, image
  }

  /// Reads controls; skips unknown controls of the image.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // A word of another version is no reason to refuse the rest.
    let noiseReduction = try container.decodeIfPresent(String.self, forKey: .noiseReduction)
    let image = try container.decodeIfPresent([String: Double].self, forKey: .image) ?? [:]
    self.init(
      exposureMode: try container.decode(OwnOr<ExposureMode>.self, forKey: .exposure).value,
      whiteBalanceMode:
        try container.decode(OwnOr<WhiteBalanceMode>.self, forKey: .whiteBalance).value,
      focusMode: try container.decode(OwnOr<FocusMode>.self, forKey: .focus).value,
      videoZoomFactor: try container.decode(Double.self, forKey: .zoom),
      flickerAvoidance: try container.decode(FlickerAvoidance.self, forKey: .flicker),
      noiseReduction: noiseReduction.flatMap(NoiseReduction.init))
    for control in ImageControl.allCases { self.image[control] = image[control.rawValue] }
  }

  /// Writes controls; omits a noise reduction and controls of the image that are not set.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(videoZoomFactor, forKey: .zoom)
    try container.encode(OwnOr(exposureMode), forKey: .exposure)
    try container.encode(OwnOr(whiteBalanceMode), forKey: .whiteBalance)
    try container.encode(OwnOr(focusMode), forKey: .focus)
    try container.encode(flickerAvoidance, forKey: .flicker)
    try container.encodeIfPresent(noiseReduction, forKey: .noiseReduction)
    if !image.isEmpty { try container.encode(image, forKey: .image) }
  }

  /// The zoom factors that some camera may have.
  package static let videoZoomFactors = 1.0...100.0
}

extension CameraControls.ExposureMode: Codable {
  private enum Key: String, CodingKey, CaseIterable { case durationMicroseconds, gain }

  /// The durations that some camera may have.
  package static let durations = Duration.microseconds(1)...Duration.seconds(60)
  /// The gains that some camera may have, as factors.
  package static let gains = 1.0...1000.0

  private static let durationsInMicroseconds =
    durations.lowerBound.inMicroseconds...durations.upperBound.inMicroseconds
  private static let durationKey = "exposure.durationMicroseconds"

  /// Reads a mode: a word, or an object with the duration in microseconds and the gain.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key, and for a duration
  ///   of more than centuries.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "auto"?: self = .continuousAutoExposure
    case "locked"?: self = .locked
    case let word?:
      throw InvalidValue.unknownWord(word, of: "exposure", ["own", "auto", "locked", "an object"])
    case nil:
      try decoder.requireKeys(among: Key.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: Key.self)
      let microseconds = try container.decode(Double.self, forKey: .durationMicroseconds)
      let gain = try container.decode(Double.self, forKey: .gain)
      guard abs(microseconds) < 9e15 else {
        throw InvalidValue.outOfRange(
          microseconds, Self.durationsInMicroseconds, Self.durationKey)
      }
      self = .custom(
        duration: .nanoseconds(Int64((microseconds * 1000).rounded())), gain: gain)
    }
  }

  /// Writes the mode.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .continuousAutoExposure: try encoder.encode(word: "auto")
    case .locked: try encoder.encode(word: "locked")
    case .custom(let duration, let gain):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(duration.inMicroseconds, forKey: .durationMicroseconds)
      try container.encode(gain, forKey: .gain)
    }
  }

  /// Checks that some camera may have the numbers of the mode.
  ///
  /// - Throws: ``InvalidValue`` for a number out of its range.
  package func check() throws(InvalidValue) {
    guard case .custom(let duration, let gain) = self else { return }
    try InvalidValue.require(
      duration.inMicroseconds, in: Self.durationsInMicroseconds, Self.durationKey)
    try InvalidValue.require(gain, in: Self.gains, "exposure.gain")
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

extension WhiteBalanceGains {
  /// The gains that some camera may have, as factors.
  package static let range = 0.01...100.0
}

extension CameraControls.FocusMode: Codable {
  private enum Key: String, CodingKey, CaseIterable { case dioptres }

  /// The lens positions that some camera may have, in diopters.
  package static let lensPositions = 0.0...100.0

  /// Reads a mode: a word, or an object with the lens position in diopters.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key.
  package init(from decoder: any Decoder) throws {
    switch decoder.word {
    case "continuous"?: self = .continuousAutoFocus
    case "auto"?: self = .autoFocus
    case "locked"?: self = .locked(lensPosition: nil)
    case let word?:
      throw InvalidValue.unknownWord(
        word, of: "focus", ["own", "continuous", "auto", "locked", "an object"])
    case nil:
      try decoder.requireKeys(among: Key.allCases.map(\.rawValue))
      let container = try decoder.container(keyedBy: Key.self)
      self = .locked(lensPosition: try container.decode(Double.self, forKey: .dioptres))
    }
  }

  /// Writes the mode.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .continuousAutoFocus: try encoder.encode(word: "continuous")
    case .autoFocus: try encoder.encode(word: "auto")
    case .locked(nil): try encoder.encode(word: "locked")
    case .locked(let position?):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(position, forKey: .dioptres)
    }
  }

  /// Checks that some camera may have the lens position of the mode.
  ///
  /// - Throws: ``InvalidValue`` for a position out of ``lensPositions``.
  package func check() throws(InvalidValue) {
    guard case .locked(let position?) = self else { return }
    try InvalidValue.require(position, in: Self.lensPositions, "focus.dioptres")
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

extension Duration {
  /// The duration in microseconds.
  fileprivate var inMicroseconds: Double { Double(wholeNanoseconds) / 1000 }
}
