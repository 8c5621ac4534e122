import Hummingbird

/// The sign-in of browsers.
extension APIRoutes {
  func signIn(_ request: Request, _ context: APIContext) async throws -> Response {
    _ = try parameters(Operations.signIn, request, context)
    let body = try await body(of: request, context)
    let wanted = try SignInRequest(EndpointRequest(body: body))
    guard case .network = context.caller.origin, let network else {
      throw APIError(
        .unsupported, "Only callers over TCP sign in; the kernel identifies those at the socket.")
    }
    do throws(RefusedRequest) {
      let secret = try network.authenticator.begin(with: wanted.token, by: context.caller)
      return emptyAnswer(cookie: SignInCookie.header(secret, isSecure: request.cameOverTLS))
    } catch {
      await recorder?.refuse(request, by: context.caller, error.error)
      throw error
    }
  }

  func signedIn(_ request: Request, _ context: APIContext) async throws -> Response {
    _ = try parameters(Operations.signedIn.operation, request, context)
    let caller = context.caller
    return try jsonResponse(
      SignInReport(
        name: caller.name,
        permissions: Permission.allCases.filter { access.policy.permits($0, to: caller) }))
  }

  func signOut(_ request: Request, _ context: APIContext) async throws -> Response {
    _ = try parameters(Operations.signOut, request, context)
    _ = try NoInput(EndpointRequest(body: try await body(of: request, context)))
    for secret in SignInCookie.values(in: request) { network?.authenticator.end(session: secret) }
    return emptyAnswer(cookie: SignInCookie.header(nil, isSecure: request.cameOverTLS))
  }

  private func emptyAnswer(cookie: String) -> Response {
    var response = Response(
      status: .noContent, headers: [.setCookie: cookie, .cacheControl: "no-store"])
    // RFC 9110, 8.6: an answer without content has no length.
    response.headers[.contentLength] = nil
    return response
  }
}
