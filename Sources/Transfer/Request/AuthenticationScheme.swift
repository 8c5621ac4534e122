import Synchronization

/// How a user and a password are told to a server (RFC 7617, RFC 7616).
enum AuthenticationScheme: Sendable, Hashable {
  /// In clear.
  case basic
  /// As the answer to a riddle; costs a round trip.
  case digest

  /// The schemes that a server asks for in its `WWW-Authenticate` fields, as far as they are known here.
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
  /// The schemes that the server asks for in its `WWW-Authenticate` fields, as it spells them.
  public var authenticationSchemes: [String] {
    headers.filter { $0.name.lowercased() == "www-authenticate" }
      .flatMap { Self.schemes(in: $0.value) }
  }

  /// Whether the server asks for a scheme that is answered here.
  public var asksForKnownAuthentication: Bool { !AuthenticationScheme.asked(by: self).isEmpty }

  /// The schemes of a field; challenges and their parameters are both separated by commas.
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

/// The authentication that servers are known to ask for.
///
/// A password goes to a server in clear only after the server has asked for that.
public final class AuthenticationMemory: Sendable {
  /// A server's wish.
  enum Wish: Sendable, Hashable {
    case nothing
    case scheme(AuthenticationScheme)

    var scheme: AuthenticationScheme? {
      if case .scheme(let scheme) = self { scheme } else { nil }
    }
  }

  private let wishes = Mutex<[String: Wish]>([:])

  /// Makes an empty memory.
  public init() {}

  /// The wish of a URL's server; `nil` when it is not known.
  func wish(of url: String) -> Wish? {
    if let wish = wishes.withLock({ $0[Self.origin(of: url)] }) { return wish }
    // Under TLS nobody else reads along, and a round trip is saved.
    return url.lowercased().hasPrefix("https://") ? .scheme(.basic) : nil
  }

  func note(_ wish: Wish, of url: String) {
    wishes.withLock { $0[Self.origin(of: url)] = wish }
  }

  /// The scheme to answer a refusal (401) with; `nil` when there is nothing else to try.
  ///
  /// - Parameter tried: what was sent; `nil` for no credentials.
  static func answer(
    to response: HTTPResponse, tried: AuthenticationScheme?
  ) -> AuthenticationScheme? {
    guard response.status == 401 else { return nil }
    let asked = AuthenticationScheme.asked(by: response)
    if tried == nil { return asked.contains(.digest) ? .digest : asked.first }
    // Credentials in the scheme that is asked for were refused, so they are wrong.
    guard let tried, !asked.contains(tried) else { return nil }
    return asked.first
  }

  /// Scheme, host and port, as they are spelled.
  private static func origin(of url: String) -> String {
    url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//").lowercased()
  }
}
