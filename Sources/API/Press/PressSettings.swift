package import Devices

/// The settings of a press: the body of `POST /v1/presses`, which may be empty.
///
/// A missing key stands for the session's setting. An unknown key is an error, and so is `null`:
///
/// | key | value |
/// |---|---|
/// | `prioritization` | `speed`, `balanced` or `quality` |
/// | `flash` | `off`, `on` or `auto`: the lamp's light for the picture |
/// | `bracket` | the values of its frames: `{"ev": [-2, 0, 2]}`, or with `ms`, `focus` or `lamps` |
/// | `merge` | `off`, `add` or `only`: the merged picture of the bracket besides its own or alone |
/// | `formats` | `["jpeg"]` or `["jpeg", "dng"]` |
/// | `fastCapture` | `false`: quality is kept also when presses come faster than they are stored |
/// | `retake` | `true`: the picture replaces the last one |
package struct PressSettings: Sendable, Hashable {
  /// The priority.
  package var prioritization: QualityPrioritization?
  /// Whether quality may be lowered when presses come faster than they are stored.
  ///
  /// `true` leaves the decision to the session.
  package var fastCapture: Bool?
  /// The lamp's light for the picture.
  package var flash: FlashMode?
  /// The frames of a bracket, which all become pictures of the press.
  package var bracket: Bracket?
  /// The merging of the bracket.
  package var merge: BracketMerge?
  /// The formats of the files, with JPEG among them.
  package var formats: Set<PhotoFormat>?
  /// Whether the picture replaces the last one when it is stored.
  ///
  /// The earlier picture stays, and the metadata of the new one name it.
  package var retake: Bool?

  /// Makes settings; `nil` stands for the session's setting.
  package init(
    prioritization: QualityPrioritization? = nil, fastCapture: Bool? = nil, flash: FlashMode? = nil,
    bracket: Bracket? = nil, formats: Set<PhotoFormat>? = nil, merge: BracketMerge? = nil,
    retake: Bool? = nil
  ) {
    self.retake = retake
    self.merge = merge
    self.prioritization = prioritization
    self.fastCapture = fastCapture
    self.flash = flash
    self.bracket = bracket
    self.formats = formats
  }
}

extension PressSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case prioritization, fastCapture, flash, bracket, merge, formats, retake
  }

  /// Reads settings as ``PressSettings`` describes them.
  ///
  /// - Throws: `DecodingError`, ``Devices/InvalidValue`` for an unknown key and for a value that is
  ///   not allowed, or ``APIError`` for `merge` without `bracket`
  ///   or with a bracket of lamps.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: Key.allCases)
    prioritization = try container.decodeWordIfPresent(.prioritization)
    fastCapture = try container.decodeIfPresent(Bool.self, forKey: .fastCapture)
    flash = try container.decodeWordIfPresent(.flash)
    bracket = try container.decodeIfPresent(Bracket.self, forKey: .bracket)
    merge = try container.decodeWordIfPresent(.merge)
    guard merge == nil || bracket != nil else {
      throw APIError(.invalidRequest, "The key \"merge\" needs \"bracket\".")
    }
    guard merge ?? .off == .off || bracket?.kind != .lamp else {
      throw APIError(.invalidRequest, "A bracket of lamps cannot be merged; leave out \"merge\".")
    }
    formats = try container.decodeIfPresent([String].self, forKey: .formats).map {
      try PhotoFormat.formats($0)
    }
    retake = try container.decodeIfPresent(Bool.self, forKey: .retake)
  }

  /// Writes the settings in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(prioritization, forKey: .prioritization)
    try container.encodeIfPresent(fastCapture, forKey: .fastCapture)
    try container.encodeIfPresent(flash, forKey: .flash)
    try container.encodeIfPresent(bracket, forKey: .bracket)
    try container.encodeIfPresent(merge, forKey: .merge)
    try container.encodeIfPresent(formats.map { $0.map(\.rawValue).sorted() }, forKey: .formats)
    try container.encodeIfPresent(retake, forKey: .retake)
  }
}
