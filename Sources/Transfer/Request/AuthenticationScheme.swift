import Synchronization

/// A scheme for sending a user and a password to a server (RFC 7617, RFC 7616).
enum AuthenticationScheme: Sendable, Hashable {
  /// The credentials are sent in clear text.
  case basic
  /// The credentials answer a challenge, which costs a round trip.
  case digest

  /// Returns the known schemes that a server requests in its `WWW-Authenticate` fields.
  static func asked(by response: HTTPResponse) -> Set<AuthenticationScheme> {
    Set(response.authenticationSchemes.compactMap { AuthenticationScheme($0) })
  }

  private init?(_ name: String) {
    switch name.lowercased() {
    case "basic": self = .basic
    case "digest": self = .digest
    default: return nil
    }
  }
}

extension HTTPResponse {
  /// The schemes in the server's `WWW-Authenticate` fields, in the server's spelling.
  package var authenticationSchemes: [String] {
    headers.filter { $0.name.lowercased() == "www-authenticate" }
      .flatMap { Self.schemes(in: $0.value) }
  }

  /// Whether the server requests a scheme that the client supports.
  package var asksForKnownAuthentication: Bool { !AuthenticationScheme.asked(by: self).isEmpty }

  /// Returns the schemes of a field; commas separate both challenges and their parameters.
  private static func schemes(in value: String) -> [String] {
    var isQuoted = false
    var isEscaped = false
    let unquoted = value.unicodeScalars.filter { scalar in
      defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
      if scalar == "\"", !isEscaped { isQuoted.toggle() }
      return !isQuoted
    }
    return String(String.UnicodeScalarView(unquoted)).split(separator: ",").compactMap { part in
      part.split(separator: " ").first.flatMap { $0.contains("=") ? nil : String($0) }
    }
  }
}

/// A memory of the authentication schemes that servers request.
///
/// Without TLS, a password is sent in clear text only after the server has requested that.
package final class AuthenticationMemory: Sendable {
  /// A server's request for authentication.
  enum Wish: Sendable, Hashable {
    case nothing
    case scheme(AuthenticationScheme)

    var scheme: AuthenticationScheme? {
      if case .scheme(let scheme) = self { scheme } else { nil }
    }
  }

  private let wishes = Mutex<[String: Wish]>([:])

  package init() {}

  /// Returns the scheme that a URL's server requests; `nil` if unknown.
  func wish(of url: String) -> Wish? {
    if let wish = wishes.withLock({ $0[Self.origin(of: url)] }) { return wish }
    // TLS keeps the password from others, so the assumption of Basic saves a round trip.
    return url.lowercased().hasPrefix("https://") ? .scheme(.basic) : nil
  }

  func note(_ wish: Wish, of url: String) {
    wishes.withLock { $0[Self.origin(of: url)] = wish }
  }

  /// Returns the scheme to answer a refusal (401) with; `nil` when there is no other to try.
  ///
  /// - Parameter tried: the scheme that was sent; `nil` for no credentials.
  static func answer(
    to response: HTTPResponse, tried: AuthenticationScheme?
  ) -> AuthenticationScheme? {
    guard response.status == 401 else { return nil }
    let asked = AuthenticationScheme.asked(by: response)
    if tried == nil { return asked.contains(.digest) ? .digest : asked.first }
    // Credentials in a requested scheme were refused, so the credentials are wrong.
    guard let tried, !asked.contains(tried) else { return nil }
    return asked.first
  }

  /// Returns the scheme, host and port of a URL in lowercase.
  private static func origin(of url: String) -> String {
    url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//").lowercased()
  }
}
