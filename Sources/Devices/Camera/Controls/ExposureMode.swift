extension CameraControls {
  /// The mode of the exposure (`AVCaptureDevice.ExposureMode`).
  package enum ExposureMode: Sendable, Hashable {
    /// The camera follows the light.
    case continuousAutoExposure
    /// The exposure stays as it is; at a start, that is the camera's initial exposure.
    case locked
    /// A fixed exposure: the duration of each row, and the gain before the converter as a factor.
    ///
    /// Frames become slower when the exposure does not fit into one.
    case custom(duration: Duration, gain: Double)

    /// A mode without its numbers.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case continuousAutoExposure, locked, custom
    }

    /// The mode without its numbers.
    package var kind: Kind {
      switch self {
      case .continuousAutoExposure: .continuousAutoExposure
      case .locked: .locked
      case .custom: .custom
      }
    }
  }

  /// The exposure of these controls; zero when it is left to the camera.
  ///
  /// An automatic exposure stays within a frame.
  package var longestExposure: Duration {
    if case .custom(let duration, _) = exposureMode { duration } else { .zero }
  }
}

extension CameraControls.ExposureMode: ControlWord {
  static let name = "exposure mode"
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { \.exposureModes }

  var numbers: [Double] {
    guard case .custom(let duration, let gain) = self else { return [] }
    return [Double(duration.wholeNanoseconds), gain]
  }

  static func limit(
    _ kind: Kind, to ranges: [ClosedRange<Double>?], in capabilities: inout CameraCapabilities
  ) {
    guard kind == .custom, ranges.count == 2 else { return }
    capabilities.exposureDurations = ranges[0].flatMap(CameraCapabilities.durations)
    capabilities.gains = ranges[1]
  }

  func refusal(by capabilities: CameraCapabilities) -> String? {
    guard case .custom(let duration, let gain) = self else { return nil }
    guard duration > .zero else { return "an exposure duration of \(duration) is none" }
    if let durations = capabilities.exposureDurations, !durations.contains(duration) {
      return "an exposure duration of \(duration) is not within \(durations)"
    }
    return CameraCapabilities.outside("a gain", gain, of: capabilities.gains)
  }

  func text(_ figure: (Double, String) -> String) -> String? {
    switch self {
    case .continuousAutoExposure: "exposure auto"
    case .locked: "exposure locked"
    case .custom(let duration, let gain):
      "exposure \(figure(duration.inMilliseconds, "ms")) gain \(figure(gain, ""))"
    }
  }
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

extension Duration {
  /// The duration in microseconds.
  fileprivate var inMicroseconds: Double { Double(wholeNanoseconds) / 1000 }
}
