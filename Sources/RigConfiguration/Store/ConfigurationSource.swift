import Digests

/// A configuration file at the time of reading, to detect later changes of the file.
package struct ConfigurationSource: Sendable, Hashable {
  /// The file's path as given.
  package let path: String
  /// The SHA-256 of its text in UTF-8, in lower-case hexadecimal digits.
  package let hash: String

  package init(path: String, text: String) {
    self.path = path
    hash = ConfigurationSource.hash(of: text)
  }

  /// Returns the SHA-256 of a text, in lower-case hexadecimal digits.
  static func hash(of text: String) -> String { hash(of: Array(text.utf8)) }

  /// Returns the SHA-256 of bytes that may not be text, in lower-case hexadecimal digits.
  static func hash(of bytes: [UInt8]) -> String { Digest.value(.sha256, of: bytes).hexadecimal }
}
