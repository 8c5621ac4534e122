import Digests
import Foundation

/// A secret that identifies a caller over the network; only its SHA-256 is kept.
package struct AccessToken: Sendable, Hashable {
  /// The beginning of every token, by which a lost token is recognized.
  static let prefix = "platen_"

  /// The name by which the audit log identifies the token's holder.
  package let name: String
  /// The SHA-256 of the token's text, 32 bytes.
  package let digest: [UInt8]
  /// The permission that the token grants.
  package let permission: Permission

  /// Takes the settings of a token.
  ///
  /// - Parameter hash: `sha256:` and 64 hexadecimal digits.
  /// - Returns: `nil` when the hash has another form.
  package init?(name: String, hash: String, permission: Permission) {
    let scheme = "sha256:"
    let digits = Array(hash.dropFirst(scheme.count).utf8)
    guard hash.hasPrefix(scheme), digits.count == 64 else { return nil }
    var digest: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard pair.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let byte = UInt8(pair, radix: 16)
      else { return nil }
      digest.append(byte)
    }
    self.name = name
    self.digest = digest
    self.permission = permission
  }

  /// Makes a token of 32 random bytes (`getrandom`), and its hash for a configuration.
  package static func make() -> (token: String, hash: String) {
    let token = prefix + makeSecret()
    return (token, "sha256:" + digest(of: token).hexadecimal)
  }

  /// Makes a text of 32 random bytes (`getrandom`): letters, digits, `-` and `_`.
  static func makeSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Finds the token that a caller shows.
  ///
  /// All tokens are compared, and each to its end, so that the time reveals nothing about any
  /// token.
  static func find(_ text: String, among tokens: [AccessToken]) -> AccessToken? {
    let shown = digest(of: text)
    var found: AccessToken?
    for token in tokens {
      var difference: UInt8 = 0
      for (one, other) in zip(token.digest, shown) { difference |= one ^ other }
      if difference == 0 { found = token }
    }
    return found
  }

  /// Returns the SHA-256 of a secret.
  static func digest(of text: String) -> [UInt8] {
    Digest.value(.sha256, of: text.utf8)
  }
}
