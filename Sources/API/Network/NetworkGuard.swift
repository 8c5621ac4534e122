import Hummingbird

/// A guard that identifies callers over the network by a token, or by the cookie of a sign-in.
///
/// Players of the live picture know Basic authentication alone. The few operations that they ask
/// take a token as the password, too (``Operation/takesPassword``).
///
/// A page elsewhere cannot use the cookie of a browser:
///
/// | attack | met by |
/// |---|---|
/// | request from a foreign page | `SameSite=Strict`, the list of origins, `Sec-Fetch-Site` |
/// | foreign name that leads to the rig (DNS rebinding) | the list of hosts |
/// | script that reads the cookie | `HttpOnly`, and the page's Content-Security-Policy |
/// | cookie read on the way | `Secure` behind TLS; a session is no token and ends by itself |
struct NetworkGuard: Sendable {
  let configuration: NetworkConfiguration
  /// The sign-ins of browsers.
  let authenticator: SignInAuthenticator

  /// Checks the host and the origins of a request.
  ///
  /// - Throws: ``RefusedRequest``, code `forbidden`, for a host or an origin that is not the rig's.
  func checkPlace(of request: Request) throws(RefusedRequest) {
    try checkHost(request)
    try checkOrigin(request)
  }

  /// Returns the identified caller of a request over the network, whose place has been checked.
  ///
  /// - Parameter takesPassword: whether the operation takes a token as a password of Basic.
  /// - Throws: ``RefusedRequest``: `unauthenticated` for an unknown caller, `forbidden` for a cookie
  ///   or a password on another page, `tooManyRequests` after too many wrong passwords.
  func identify(
    _ caller: Caller, _ request: Request, takesPassword: Bool
  ) throws(RefusedRequest) -> Caller {
    if let header = request.headers[.authorization] {
      guard takesPassword, let password = BasicCredentials(header)?.password else {
        return try known(by: header, caller)
      }
      // A browser adds a password that it knows to the requests of every page, also one that no
      // longer counts, beside the cookie of a sign-in.
      let token: AccessToken
      if AccessToken.find(password, among: configuration.tokens) == nil,
        let own = sessionToken(in: request)
      {
        token = own
      } else {
        token = try authenticator.token(password, shownBy: caller)
      }
      try checkPage(of: request)
      return caller.known(by: token)
    }
    guard !SignInCookie.values(in: request).isEmpty else {
      throw unauthenticated(
        "Who calls has to be known: send a token (\"Authorization: Bearer …\").",
        asksForPassword: takesPassword && !request.isOfPage)
    }
    guard let token = sessionToken(in: request) else {
      throw unauthenticated("The sign-in has ended; sign in again with a token.")
    }
    try checkPage(of: request)
    return caller.known(by: token)
  }

  /// Returns the token of the sign-in whose cookie a request shows; `nil` for none that lasts.
  private func sessionToken(in request: Request) -> AccessToken? {
    SignInCookie.values(in: request).compactMap { authenticator.token(ofSession: $0) }.first
  }

  private func checkHost(_ request: Request) throws(RefusedRequest) {
    let authority = request.head.authority ?? ""
    // Any port may lead to the rig, and an IPv6 address is in brackets.
    let end =
      authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.lastIndex(of: ":")
    var host = authority
    if authority.hasPrefix("["), let end {
      host = String(authority[authority.index(after: authority.startIndex)..<end])
    } else if let end {
      host = String(authority[..<end])
    }
    guard configuration.hosts.contains(host.lowercased()) else {
      throw RefusedRequest(
        APIError(
          .forbidden,
          "The host \"\(authority.prefix(80))\" is not this rig's; the setting \"api.tcp.hosts\" "
            + "lists its names."))
    }
  }

  private func checkOrigin(_ request: Request) throws(RefusedRequest) {
    let origins = request.headers[values: .origin]
    let stranger = origins.first {
      !configuration.origins.contains($0) && !isOwn($0, of: request)
    }
    guard let stranger else { return }
    throw RefusedRequest(
      APIError(
        .forbidden,
        "Pages of \"\(stranger.prefix(80))\" may not call this rig; the setting "
          + "\"api.tcp.origins\" lists which may."))
  }

  /// Returns whether an origin is that of the rig's own page, under a name that was checked.
  ///
  /// Another port is another page. Behind TLS a page without TLS could be anybody's.
  private func isOwn(_ origin: String, of request: Request) -> Bool {
    guard let authority = request.head.authority?.lowercased() else { return false }
    if origin == "https://\(authority)" { return true }
    return origin == "http://\(authority)" && !request.cameOverTLS
  }

  /// Checks that a request with a cookie comes from a page that may call.
  ///
  /// A browser names the origin of each request that may change something. With TLS and on the same
  /// machine a browser also names the relation of the page to the rig.
  private func checkPage(of request: Request) throws(RefusedRequest) {
    guard request.method == .get || request.method == .head else {
      guard request.headers[values: .origin].isEmpty else { return }
      throw RefusedRequest(
        APIError(
          .forbidden, "A change by the cookie of a sign-in needs the header \"Origin\"."))
    }
    guard ["same-origin", "none"].contains(request.value(of: "sec-fetch-site") ?? "none") else {
      throw RefusedRequest(
        APIError(
          .forbidden, "The cookie of a sign-in, or a password, counts only on the rig's own page."))
    }
  }

  private func known(by header: String, _ caller: Caller) throws(RefusedRequest) -> Caller {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw unauthenticated("The header \"Authorization\" must be \"Bearer\" and a token.")
    }
    guard let token = AccessToken.find(String(words[1]), among: configuration.tokens) else {
      throw unauthenticated("The token is not one of this rig's.")
    }
    return caller.known(by: token)
  }

  /// Makes the refusal of an unknown caller.
  ///
  /// - Parameter asksForPassword: whether a token may also come as a password. A browser then asks a
  ///   person for it.
  private func unauthenticated(
    _ message: String, asksForPassword: Bool = false
  ) -> RefusedRequest {
    var headers: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"platen\""]
    // Some players read one challenge in a line.
    if asksForPassword { headers[values: .wwwAuthenticate].append("Basic realm=\"platen\"") }
    return RefusedRequest(APIError(.unauthenticated, message), headers: headers)
  }
}

extension Caller {
  /// Returns this caller as the holder of a token.
  fileprivate func known(by token: AccessToken) -> Caller {
    Caller(account: .token(token.name), name: token.name, granted: token.permission, origin: origin)
  }
}

extension Request {
  /// Whether a page in a browser sends the request, as far as that is known.
  fileprivate var isOfPage: Bool {
    value(of: "x-requested-with") != nil || value(of: "sec-fetch-site") ?? "none" != "none"
  }

  /// Whether a proxy says that the request came to it over TLS.
  var cameOverTLS: Bool {
    value(of: "x-forwarded-proto")?.lowercased().hasPrefix("https") ?? false
  }

  /// Returns a header by its name in lower case; `nil` when the request has none.
  func value(of name: String) -> String? {
    headers.first { $0.name.canonicalName == name }?.value
  }
}
