/// The list of a support bundle's available and missing parts: its `manifest.json`.
package struct SupportManifest: Sendable, Hashable, Codable {
  /// A file of the bundle.
  package struct Part: Sendable, Hashable, Codable {
    /// The file's name.
    package let name: String
    /// The file's length in bytes.
    package let bytes: Int
    /// The file's SHA-256 in lowercase hexadecimal digits.
    package let sha256: String
    /// The number of bytes cut from a long file; `nil` for none.
    package let cutBytes: Int?
  }

  /// A missing file.
  package struct Missing: Sendable, Hashable, Codable {
    /// The file's name.
    package let name: String
    /// The reason in a sentence.
    package let reason: String
  }

  /// The rig's name, or the machine's name if the service does not answer.
  package let rig: String
  /// The time of collection by this machine's clock, which may be wrong; ISO 8601 in UTC.
  package let made: String
  /// The replacement of each secret.
  package let redacted: String
  /// The files, in the order of their names.
  package let parts: [Part]
  /// The missing files, in the order of their names.
  package let missing: [Missing]
}

/// The reason why a part of a bundle is unavailable.
struct Unavailable: Error, Hashable {
  /// The reason in a sentence.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
