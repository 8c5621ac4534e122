/// What `PATCH /v1/configuration` takes.
public struct ConfigurationChange: Sendable, Hashable, Codable {
  /// The most keys that one change may set.
  public static let maximumKeys = 64

  /// New values as YAML by the paths of their keys, for example `camera.frame_rate`.
  public let set: [String: String]
  /// The SHA-256 that the file must have, so that nobody else's change is overwritten; `nil` takes
  /// it as it is.
  public let ifHash: String?

  /// Makes a change.
  public init(set: [String: String], ifHash: String? = nil) {
    self.set = set
    self.ifHash = ifHash
  }

  /// Reads a change.
  ///
  /// - Throws: ``APIError`` for an unknown key, for nothing to set or too much, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["set", "ifHash"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    set = try container.decode([String: String].self, forKey: .set)
    ifHash = try container.decodeIfPresent(String.self, forKey: .ifHash)
    guard (1...Self.maximumKeys).contains(set.count) else {
      throw APIError(
        .invalidRequest, "\"set\" must have 1 to \(Self.maximumKeys) keys, not \(set.count).")
    }
  }
}

/// What `POST /v1/configuration/rollback` takes; `{}` goes back by one.
public struct ConfigurationRollback: Sendable, Hashable, Codable {
  /// The number of the earlier text, 0 for the last good one; `nil` for the newest, or for
  /// the last good one when the file as it is cannot be used.
  public let to: Int?
  /// The SHA-256 that the file must have; `nil` takes it as it is.
  public let ifHash: String?

  /// Makes a request.
  public init(to: Int? = nil, ifHash: String? = nil) {
    self.to = to
    self.ifHash = ifHash
  }

  /// Reads a request.
  ///
  /// - Throws: ``APIError`` for an unknown key, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["to", "ifHash"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    to = try container.decodeIfPresent(Int.self, forKey: .to)
    ifHash = try container.decodeIfPresent(String.self, forKey: .ifHash)
  }
}

/// What `platend --configure` reads: one thing to do to the file while no service runs.
///
/// Exactly one key is there.
public struct LocalConfigurationRequest: Sendable, Hashable, Codable {
  /// Show the file.
  public var show: Bool?
  /// List the earlier texts.
  public var history: Bool?
  /// Compare with the earlier text of a number.
  public var difference: Int?
  /// Check a text.
  public var check: String?
  /// Change the file.
  public var change: ConfigurationChange?
  /// Bring an earlier text back.
  public var rollback: ConfigurationRollback?

  /// Makes a request for nothing yet.
  public init() {}

  /// Reads a request.
  ///
  /// - Throws: ``APIError`` unless there is exactly one known key, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(
      notIn: ["show", "history", "difference", "check", "change", "rollback"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    guard container.allKeys.count == 1 else {
      throw APIError(.invalidRequest, "Exactly one thing can be done at a time.")
    }
    show = try container.decodeIfPresent(Bool.self, forKey: .show)
    history = try container.decodeIfPresent(Bool.self, forKey: .history)
    difference = try container.decodeIfPresent(Int.self, forKey: .difference)
    check = try container.decodeIfPresent(String.self, forKey: .check)
    change = try container.decodeIfPresent(ConfigurationChange.self, forKey: .change)
    rollback = try container.decodeIfPresent(ConfigurationRollback.self, forKey: .rollback)
  }
}
