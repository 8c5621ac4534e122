/// What is in a support bundle and what is not: its `manifest.json`.
public struct SupportManifest: Sendable, Hashable, Codable {
  /// A file of the bundle.
  public struct Part: Sendable, Hashable, Codable {
    /// Its name.
    public let name: String
    /// Its length in bytes.
    public let bytes: Int
    /// Its SHA-256 in lower-case hexadecimal digits.
    public let sha256: String
    /// How many bytes were cut to keep it short; `nil` for none.
    public let cutBytes: Int?
  }

  /// A file that could not be had.
  public struct Missing: Sendable, Hashable, Codable {
    /// Its name.
    public let name: String
    /// Why, in a sentence.
    public let reason: String
  }

  /// The rig's name; the machine's where the service does not say.
  public let rig: String
  /// When the bundle was made by this machine's clock, which may be wrong; ISO 8601 in UTC.
  public let made: String
  /// What stands in the place of each secret.
  public let redacted: String
  /// The files, in the order of their names.
  public let parts: [Part]
  /// The files that could not be had, in the order of their names.
  public let missing: [Missing]
}

/// Why a part of a bundle cannot be had.
struct Unavailable: Error, Hashable {
  /// One sentence.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
