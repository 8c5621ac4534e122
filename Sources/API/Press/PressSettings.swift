/// The settings of a press: the body of `POST /v1/presses`, which may be empty.
///
/// A missing key stands for the session's setting. An unknown key is an error, and so is `null`:
///
/// | key | value |
/// |---|---|
/// | `prioritization` | `speed`, `balanced` or `quality` |
/// | `fastCapture` | `false`: quality is kept also when presses come faster than they are stored |
package struct PressSettings: Sendable, Hashable {
  /// The priority: `speed`, `balanced` or `quality`.
  package var prioritization: String?
  /// Whether quality may be lowered when presses come faster than they are stored.
  ///
  /// `true` leaves the decision to the session.
  package var fastCapture: Bool?

  /// Makes settings; `nil` stands for the session's setting.
  package init(prioritization: String? = nil, fastCapture: Bool? = nil) {
    self.prioritization = prioritization
    self.fastCapture = fastCapture
  }

  /// Whether all settings are the session's.
  package var isEmpty: Bool { self == PressSettings() }
}

extension PressSettings: Codable {
  /// The allowed values of ``prioritization``.
  package static let prioritizations = ["speed", "balanced", "quality"]

  private enum Key: String, CodingKey, CaseIterable {
    case prioritization, fastCapture
  }

  /// Reads settings as ``PressSettings`` describes them.
  ///
  /// - Throws: `DecodingError`, or ``Devices/InvalidValue`` for an unknown key and for a value that
  ///   is not allowed.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: Key.allCases)
    prioritization = try container.decodeWordIfPresent(
      .prioritization, oneOf: Self.prioritizations)
    fastCapture = try container.decodeIfPresent(Bool.self, forKey: .fastCapture)
  }

  /// Writes the settings in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(prioritization, forKey: .prioritization)
    try container.encodeIfPresent(fastCapture, forKey: .fastCapture)
  }
}
