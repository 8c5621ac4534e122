extension CameraControls {
  /// The mode of the focus (`AVCaptureDevice.FocusMode`).
  package enum FocusMode: Sendable, Hashable {
    /// The camera follows the subject's distance.
    case continuousAutoFocus
    /// The camera focuses once each time that this mode is set, then keeps the focus.
    case autoFocus
    /// The camera focuses once on a place each time that this mode is set, then keeps the focus.
    case autoFocusAtPoint(FocusPoint)
    /// The lens stays at a position in diopters (0 is infinity, 2 is half a meter); `nil` keeps it.
    case locked(lensPosition: Double?)

    /// A mode without its number.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case continuousAutoFocus, autoFocus, autoFocusAtPoint, locked
    }

    /// Whether the camera focuses once, and then keeps the focus.
    package var isSingleScan: Bool { kind == .autoFocus || kind == .autoFocusAtPoint }

    /// The mode without its number.
    package var kind: Kind {
      switch self {
      case .continuousAutoFocus: .continuousAutoFocus
      case .autoFocus: .autoFocus
      case .autoFocusAtPoint: .autoFocusAtPoint
      case .locked: .locked
      }
    }
  }
}

extension CameraControls.FocusMode: ControlWord {
  static let name = "focus mode"
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { \.focusModes }

  var numbers: [Double] {
    switch self {
    case .autoFocusAtPoint(let point): [point.x, point.y]
    case .locked(let position?): [position]
    case .continuousAutoFocus, .autoFocus, .locked(nil): []
    }
  }

  static func limit(
    _ kind: Kind, to ranges: [ClosedRange<Double>?], in capabilities: inout CameraCapabilities
  ) {
    guard kind == .locked, let positions = ranges.first else { return }
    capabilities.lensPositions = positions ?? 0...(.greatestFiniteMagnitude)
  }

  func refusal(by capabilities: CameraCapabilities) -> String? {
    if case .autoFocusAtPoint(let point) = self {
      guard let outside = [point.x, point.y].first(where: { !FocusPoint.range.contains($0) })
      else { return nil }
      return "a focus point of \(outside) is not within \(FocusPoint.range)"
    }
    guard case .locked(let position?) = self else { return nil }
    guard let positions = capabilities.lensPositions else {
      return "it has no control of the lens position"
    }
    guard !positions.contains(position) else { return nil }
    return "a lens position of \(position) is not within \(positions)"
  }

  func text(_ figure: (Double, String) -> String) -> String? {
    switch self {
    case .continuousAutoFocus: "focus continuous"
    case .autoFocus: "focus auto"
    case .autoFocusAtPoint(let point): "focus at \(figure(point.x, "")), \(figure(point.y, ""))"
    case .locked(nil): "focus locked"
    case .locked(let position?): "focus \(figure(position, "diopters"))"
    }
  }
}

extension CameraControls.FocusMode: Codable {
  private enum Key: String, CodingKey {
    case diopters, x, y
    /// The key of earlier clients, which is read and not written.
    case former = "dioptres"
  }

  /// The lens positions that some camera may have, in diopters.
  package static let lensPositions = 0.0...100.0

  /// Reads a mode: a word, or an object with the lens position in diopters or with a place.
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
      let container = try decoder.container(keyedBy: Key.self)
      if container.contains(.x) || container.contains(.y) {
        self = .autoFocusAtPoint(try FocusPoint(from: decoder))
        return
      }
      let key = container.contains(.former) ? Key.former : .diopters
      try decoder.requireKeys(among: [key.rawValue])
      self = .locked(lensPosition: try container.decode(Double.self, forKey: key))
    }
  }

  /// Writes the mode.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .continuousAutoFocus: try encoder.encode(word: "continuous")
    case .autoFocus: try encoder.encode(word: "auto")
    case .autoFocusAtPoint(let point): try point.encode(to: encoder)
    case .locked(nil): try encoder.encode(word: "locked")
    case .locked(let position?):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(position, forKey: .diopters)
    }
  }

  /// Checks that some camera may have the numbers of the mode.
  ///
  /// - Throws: ``InvalidValue`` for a position out of ``lensPositions``, or a place outside.
  package func check() throws(InvalidValue) {
    if case .autoFocusAtPoint(let point) = self { try point.check() }
    guard case .locked(let position?) = self else { return }
    try InvalidValue.require(position, in: Self.lensPositions, "focus.diopters")
  }
}
