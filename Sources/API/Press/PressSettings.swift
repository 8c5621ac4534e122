/// What a press is asked to give: the body of `POST /v1/presses`, which may be left out.
///
/// What is left out is as the session is set; any further key is an error, and so is `null`:
///
/// | key | value |
/// |---|---|
/// | `prioritization` | `speed`, `balanced` or `quality` |
/// | `fastCapture` | `false`: quality is kept also when presses come faster than they are stored |
public struct PressSettings: Sendable, Hashable {
  /// What counts more: `speed`, `balanced` or `quality`.
  public var prioritization: String?
  /// Whether quality may be lowered when presses come faster than they are stored; `true` leaves that
  /// to the session.
  public var fastCapture: Bool?

  /// Makes settings; what is `nil` is as the session is set.
  public init(prioritization: String? = nil, fastCapture: Bool? = nil) {
    self.prioritization = prioritization
    self.fastCapture = fastCapture
  }

  /// Whether all is as the session is set.
  public var isEmpty: Bool { self == PressSettings() }
}

extension PressSettings: Codable {
  /// What ``prioritization`` may be.
  public static let prioritizations = ["speed", "balanced", "quality"]

  private enum Key: String, CodingKey, CaseIterable {
    case prioritization, fastCapture
  }

  /// Reads settings as ``PressSettings`` describes them.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` for an unknown key and for a value that cannot be.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: Key.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: Key.self)
    try container.refuseNulls()
    prioritization = try container.decodeWordIfPresent(
      .prioritization, oneOf: Self.prioritizations)
    fastCapture = try container.decodeIfPresent(Bool.self, forKey: .fastCapture)
  }

  /// Writes the settings in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(prioritization, forKey: .prioritization)
    try container.encodeIfPresent(fastCapture, forKey: .fastCapture)
  }
}
