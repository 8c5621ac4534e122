import Foundation

/// The password of Basic authentication (RFC 7617); a rig's callers need no user name.
struct BasicCredentials: Sendable, Hashable {
  /// The most bytes of a header that is decoded.
  private static let maximumBytes = 1024

  /// The password, which may be empty and may have colons.
  let password: String

  /// Reads the value of an `Authorization` header.
  ///
  /// - Returns: `nil` for another scheme, and for a value that is no Basic credentials in UTF-8.
  init?(_ header: String) {
    let words = header.split(separator: " ", maxSplits: 1)
    guard header.utf8.count <= Self.maximumBytes, words.count == 2,
      words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
      let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    password = String(text[text.index(after: colon)...])
  }
}
