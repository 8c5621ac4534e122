import Glibc

/// The frames of a bracketed capture (`AVCaptureBracketedStillImageSettings`).
///
/// The frames differ in one control, or in the lamp that is lit. A text and JSON use the same
/// words:
///
/// | text | JSON | frames |
/// |---|---|---|
/// | `ev=-2,0,2` | `{"ev": [-2, 0, 2]}` | exposures beside the metered one |
/// | `ms=5,20,80` | `{"ms": [5, 20, 80]}` | exposure durations at the metered gain |
/// | `focus=2,4,6` | `{"focus": [2, 4, 6]}` | lens positions in diopters |
/// | `lamps=left,right` | `{"lamps": ["left", "right"]}` | each lamp alone |
package struct Bracket: Sendable, Hashable {
  /// The property in which the frames differ.
  package enum Kind: String, Sendable, Hashable, CaseIterable, CodingKey {
    /// The exposure, in EV (`AVCaptureAutoExposureBracketedStillImageSettings`).
    case exposureBias = "ev"
    /// The exposure duration in milliseconds.
    ///
    /// The corresponding class is `AVCaptureManualExposureBracketedStillImageSettings`.
    case exposureDuration = "ms"
    /// The lens position, in diopters.
    case lensPosition = "focus"
    /// The lamp that is lit, by its name in the configuration.
    case lamp = "lamps"

    /// The values that some camera may have; a lamp's value is its place in the bracket.
    package var range: ClosedRange<Double> {
      switch self {
      case .lamp: 1...Double(Bracket.counts.upperBound)
      case .exposureBias: -8...8
      case .exposureDuration: 0.001...60_000
      case .lensPosition: CameraControls.FocusMode.lensPositions
      }
    }

    /// The minimum difference of two frames, so that metadata tell the frames apart.
    fileprivate var leastStep: (value: Double, text: String) {
      switch self {
      case .lamp: (1, "their lamps")
      case .exposureBias: (0.1, "0.1 EV")
      case .exposureDuration: (log2(1.1), "a tenth")
      case .lensPosition: (0.25, "0.25 diopters")
      }
    }

    fileprivate func scale(_ value: Double) -> Double {
      self == .exposureDuration ? log2(value) : value
    }
  }

  /// The numbers of frames that a bracket may have.
  package static let counts = 2...7
  /// The bracket of a rig that does not name one.
  package static let standard = Bracket(kind: .exposureBias, values: [-2, 0, 2])

  /// The property in which the frames differ.
  package let kind: Kind
  /// The values of the frames, in the order of the pictures.
  package let values: [Double]
  /// The names of the lamps, in the order of the pictures; empty for other kinds.
  package let lamps: [String]

  private init(kind: Kind, values: [Double], lamps: [String] = []) {
    self.kind = kind
    self.values = values
    self.lamps = lamps
  }

  /// Makes a bracket of lamps.
  ///
  /// - Throws: ``InvalidValue`` for another number of lamps than ``counts``, for a repeated lamp,
  ///   and for a text that is no name.
  package init(lamps names: [String]) throws(InvalidValue) {
    for name in names where name.wholeMatch(of: /[a-z0-9_-]{1,32}/) == nil {
      throw InvalidValue(
        description: "The lamp \"\(name.prefix(40))\" must have 1 to 32 of a-z 0-9 - _.")
    }
    guard Set(names).count == names.count else {
      throw InvalidValue(description: "The frames of a bracket must differ in their lamps.")
    }
    let places = names.indices.map { Double($0 + 1) }
    let checked = try Bracket(.lamp, places)
    self.init(kind: .lamp, values: checked.values, lamps: names)
  }

  /// Makes a bracket.
  ///
  /// - Throws: ``InvalidValue`` for a value out of range, for another number of frames than
  ///   ``counts``, and for frames that hardly differ.
  package init(_ kind: Kind, _ values: [Double]) throws(InvalidValue) {
    guard Self.counts.contains(values.count) else {
      throw InvalidValue(
        description: "A bracket must have \(Self.counts.lowerBound) to \(Self.counts.upperBound) "
          + "frames, not \(values.count).")
    }
    for value in values {
      try InvalidValue.require(value, in: kind.range, "bracket.\(kind.rawValue)")
    }
    let step = kind.leastStep
    let ordered = values.map { kind.scale($0) }.sorted()
    let differences = zip(ordered, ordered.dropFirst()).map { $1 - $0 }
    guard differences.allSatisfy({ $0 >= step.value - 1e-6 }) else {
      throw InvalidValue(
        description: "The frames of a bracket must differ by \(step.text) or more.")
    }
    self.init(kind: kind, values: values)
  }

  /// Reads a bracket from a text such as `ev=-2,0,2`.
  ///
  /// - Throws: ``InvalidValue`` as ``init(_:_:)``, and for a text of another form.
  package init(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    if parts.count == 2, parts[0] == Kind.lamp.rawValue {
      try self.init(lamps: numbers.map { String($0) })
      return
    }
    let values = numbers.compactMap { Double($0) }
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
      values.count == numbers.count
    else {
      throw InvalidValue(
        description: "The bracket \"\(text.prefix(40))\" must be \(Self.forms).")
    }
    try self.init(kind, values)
  }

  /// The possible texts, in words.
  package static let forms = "like ev=-2,0,2 or ms=5,20,80 or focus=2,4,6 or lamps=left,right"

  /// The longest exposure that the bracket names; zero when the metering decides.
  package var longestExposure: Duration {
    guard kind == .exposureDuration, let longest = values.max() else { return .zero }
    return .microseconds(Int64((longest * 1000).rounded()))
  }
}

extension Bracket: CustomStringConvertible {
  /// The text that ``init(_:)`` reads.
  package var description: String {
    let numbers = values.map { $0 == $0.rounded() ? String(Int($0)) : String($0) }
    let words = kind == .lamp ? lamps : numbers
    return "\(kind.rawValue)=\(words.joined(separator: ","))"
  }
}

extension Bracket: Codable {
  /// Reads an object with one key.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` as ``init(_:_:)`` and for other keys.
  package init(from decoder: any Decoder) throws {
    let known = Kind.allCases.map(\.rawValue)
    try decoder.requireKeys(among: known)
    let container = try decoder.container(keyedBy: Kind.self)
    guard container.allKeys.count == 1, let kind = container.allKeys.first else {
      let keys = known.joined(separator: ", ")
      throw InvalidValue(description: "A bracket must have exactly one of the keys \(keys).")
    }
    switch kind {
    case .lamp: try self.init(lamps: container.decode([String].self, forKey: kind))
    case .exposureBias, .exposureDuration, .lensPosition:
      try self.init(kind, container.decode([Double].self, forKey: kind))
    }
  }

  /// Writes an object with one key.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch kind {
    case .lamp: try container.encode(lamps, forKey: kind)
    case .exposureBias, .exposureDuration, .lensPosition:
      try container.encode(values, forKey: kind)
    }
  }
}
