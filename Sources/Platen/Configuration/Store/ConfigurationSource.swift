import Crypto

/// A configuration file as it was read: by this it is told whether another one lies there now.
public struct ConfigurationSource: Sendable, Hashable {
  /// The file's path as it was named.
  public let path: String
  /// The SHA-256 of its text, in lower-case hexadecimal digits.
  public let hash: String

  /// Makes a source.
  public init(path: String, text: String) {
    self.path = path
    hash = ConfigurationSource.hash(of: text)
  }

  /// The SHA-256 of a text, in lower-case hexadecimal digits.
  static func hash(of text: String) -> String { hash(of: Array(text.utf8)) }

  /// The SHA-256 of bytes that may be no text, in lower-case hexadecimal digits.
  static func hash(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return SHA256.hash(data: bytes).reduce(into: "") { text, byte in
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
