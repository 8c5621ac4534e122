import Digests

/// A configuration file as it was read: by this it is told whether another one lies there now.
public struct ConfigurationSource: Sendable, Hashable {
  /// The file's path as it was named.
  public let path: String
  /// The SHA-256 of its text in UTF-8, in lower-case hexadecimal digits.
  public let hash: String

  /// Makes a source.
  public init(path: String, text: String) {
    self.path = path
    hash = ConfigurationSource.hash(of: text)
  }

  /// The SHA-256 of a text, in lower-case hexadecimal digits.
  static func hash(of text: String) -> String { hash(of: Array(text.utf8)) }

  /// The SHA-256 of bytes that may be no text, in lower-case hexadecimal digits.
  static func hash(of bytes: [UInt8]) -> String { Digest.value(.sha256, of: bytes).hexadecimal }
}
