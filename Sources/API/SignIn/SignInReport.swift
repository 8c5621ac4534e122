/// The token of a browser that signs in: the body of `POST /v1/sign-in`.
package struct SignInRequest: Sendable, Hashable, Codable {
  /// The allowed numbers of characters.
  static let lengths = 1...200

  /// The token, as `platenctl token` printed it.
  package let token: String

  package init(token: String) { self.token = token }

  /// Reads a request.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, ``APIError`` for a text that can be no
  ///   token, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.token])
    token = try container.decode(String.self, forKey: .token)
    // The text may be a token of another rig, and is not repeated.
    guard Self.lengths.contains(token.unicodeScalars.count) else {
      throw APIError(.invalidRequest, "A token has 1 to 200 characters.")
    }
  }
}

extension SignInRequest: JSONInput {}

/// The caller as the rig knows it: the answer to `GET /v1/sign-in`.
package struct SignInReport: Sendable, Hashable, Codable {
  /// The name of the token's holder or of the user; `nil` for a user without a name.
  package let name: String?
  /// The permissions of the caller.
  package let permissions: [Permission]

  package init(name: String?, permissions: [Permission]) {
    self.name = name
    self.permissions = permissions
  }
}
