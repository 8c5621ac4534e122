import Hummingbird

/// A guard that identifies callers over the network by a token.
struct NetworkGuard: Sendable {
  let configuration: NetworkConfiguration

  /// Returns the identified caller of a request over the network.
  ///
  /// - Throws: ``RefusedRequest``: `forbidden` for a host or an origin that is not listed,
  ///   `unauthenticated` for an unknown caller.
  func identify(_ caller: Caller, _ request: Request) throws(RefusedRequest) -> Caller {
    try checkHost(request)
    try checkOrigin(request)
    guard let header = request.headers[.authorization] else {
      throw unauthenticated(
        "Who calls has to be known: send a token (\"Authorization: Bearer …\").")
    }
    return try known(by: header, caller)
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
    guard let stranger = origins.first(where: { !configuration.origins.contains($0) }) else {
      return
    }
    throw RefusedRequest(
      APIError(
        .forbidden,
        "Pages of \"\(stranger.prefix(80))\" may not call this rig; the setting "
          + "\"api.tcp.origins\" lists which may."))
  }

  private func known(by header: String, _ caller: Caller) throws(RefusedRequest) -> Caller {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw unauthenticated("The header \"Authorization\" must be \"Bearer\" and a token.")
    }
    guard let token = AccessToken.find(String(words[1]), among: configuration.tokens) else {
      throw unauthenticated("The token is not one of this rig's.")
    }
    return Caller(
      account: .token(token.name), name: token.name, granted: token.permission,
      origin: caller.origin)
  }

  private func unauthenticated(_ message: String) -> RefusedRequest {
    RefusedRequest(
      APIError(.unauthenticated, message), headers: [.wwwAuthenticate: "Bearer realm=\"platen\""])
  }
}
