/// The body of `PATCH /v1/configuration`.
package struct ConfigurationChange: Sendable, Hashable, Codable {
  /// The most keys that one change may set.
  package static let maximumKeys = 64

  /// New values as YAML by the paths of their keys, for example `camera.frame_rate`.
  package let set: [String: String]
  /// The SHA-256 that the file must have; `nil` accepts any file.
  ///
  /// The check keeps the change from overwriting another client's change.
  package let ifHash: String?

  package init(set: [String: String], ifHash: String? = nil) {
    self.set = set
    self.ifHash = ifHash
  }

  /// Reads a change.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, ``APIError`` for too few or too many
  ///   keys to set, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.set, .ifHash])
    set = try container.decode([String: String].self, forKey: .set)
    ifHash = try container.decodeIfPresent(String.self, forKey: .ifHash)
    guard (1...Self.maximumKeys).contains(set.count) else {
      throw APIError(
        .invalidRequest, "\"set\" must have 1 to \(Self.maximumKeys) keys, not \(set.count).")
    }
  }
}

/// The body of `POST /v1/configuration/rollback`, which may be `{}`.
package struct ConfigurationRollback: Sendable, Hashable, Codable {
  /// The number of the earlier text, 0 for the last good one.
  ///
  /// `nil` stands for the newest text, or for the last good one when the current file is unusable.
  package let to: Int?
  /// The SHA-256 that the file must have; `nil` accepts any file.
  package let ifHash: String?

  package init(to: Int? = nil, ifHash: String? = nil) {
    self.to = to
    self.ifHash = ifHash
  }

  /// Reads a request.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.to, .ifHash])
    to = try container.decodeIfPresent(Int.self, forKey: .to)
    ifHash = try container.decodeIfPresent(String.self, forKey: .ifHash)
  }
}

/// The input of `platend --configure`: one request about the file while no service runs.
///
/// Exactly one property is set.
package struct LocalConfigurationRequest: Sendable, Hashable, Codable {
  /// Whether to show the file.
  package var show: Bool?
  /// Whether to list the keys that a file may have, with their meanings.
  package var keys: Bool?
  /// Whether to list the earlier texts.
  package var history: Bool?
  /// The number of the earlier text to compare with.
  package var difference: Int?
  /// The text to check.
  package var check: String?
  /// The change to make.
  package var change: ConfigurationChange?
  /// The return to an earlier text to make.
  package var rollback: ConfigurationRollback?

  package init() {}

  /// Makes a request for one thing.
  package init<Value>(_ thing: WritableKeyPath<Self, Value?>, _ value: Value) {
    self[keyPath: thing] = value
  }

  /// Reads a request.
  ///
  /// - Throws: ``APIError`` unless there is exactly one known key, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(
      of: [CodingKeys.show, .keys, .history, .difference, .check, .change, .rollback])
    guard container.allKeys.count == 1 else {
      throw APIError(.invalidRequest, "Exactly one thing can be done at a time.")
    }
    show = try container.decodeIfPresent(Bool.self, forKey: .show)
    keys = try container.decodeIfPresent(Bool.self, forKey: .keys)
    history = try container.decodeIfPresent(Bool.self, forKey: .history)
    difference = try container.decodeIfPresent(Int.self, forKey: .difference)
    check = try container.decodeIfPresent(String.self, forKey: .check)
    change = try container.decodeIfPresent(ConfigurationChange.self, forKey: .change)
    rollback = try container.decodeIfPresent(ConfigurationRollback.self, forKey: .rollback)
  }
}
