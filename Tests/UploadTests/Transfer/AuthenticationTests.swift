import TestSupport
import Testing

@testable import Transfer

/// The servers that get to see a password, and the way.
@Suite(.timeLimit(.minutes(10))) struct AuthenticationTests {
  private static let basic = "WWW-Authenticate: Basic realm=\"rig\""
  private static let digest =
    "WWW-Authenticate: Digest realm=\"rig\", nonce=\"abc\", qop=\"auth\", algorithm=MD5"

  private func refusal(_ fields: [String]) -> Fault {
    .respond(answer("401 Unauthorized", fields))
  }

  /// Sends pictures; returns the method and the scheme, if any, of each request.
  private func seen(
    by proxy: FaultProxy, count: Int = 2, expecting status: Int = 201
  ) async throws -> [String] {
    let client = HTTPClient(userAgent: "tests/1")
    for _ in 0..<count {
      proxy.plan("PUT", .respond(answer("201 Created", [])))
      let response = try await client.send(
        HTTPRequest(
          method: "PUT", url: proxy.url + "a", body: .bytes([1, 2, 3]),
          credentials: HTTPCredentials(user: "rig", password: "secret")))
      #expect(response.status == status)
    }
    return proxy.requests.map { request in
      let field = request.head.split(separator: "\r\n")
        .first { $0.lowercased().hasPrefix("authorization: ") }
      return request.method + (field.map { " " + $0.split(separator: " ")[1] } ?? "")
    }
  }

  @Test func `a server that does not ask sees no password`() async throws {
    let proxy = try FaultProxy()
    #expect(try await seen(by: proxy) == ["OPTIONS", "PUT", "PUT"])
  }

  @Test func `a server that asks for Basic gets it without a wasted upload`()
    async throws
  {
    let proxy = try FaultProxy()
    proxy.plan("OPTIONS", refusal([Self.basic]))
    #expect(try await seen(by: proxy) == ["OPTIONS", "PUT Basic", "PUT Basic"])
    #expect(proxy.requests.map(\.bodyByteCount) == [0, 3, 3])
  }

  @Test func `a server that asks only at the picture gets the password then`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("OPTIONS", .respond(answer("200 OK", [])))
    proxy.plan("PUT", refusal([Self.basic]))
    #expect(try await seen(by: proxy) == ["OPTIONS", "PUT", "PUT Basic", "PUT Basic"])
  }

  /// Digest costs an empty request for each picture.
  @Test(arguments: [[digest], [basic, digest]])
  func `a server that takes Digest never sees the password`(_ fields: [String]) async throws {
    let proxy = try FaultProxy()
    proxy.plan("OPTIONS", refusal(fields))
    proxy.plan("PUT", refusal(fields))
    #expect(try await seen(by: proxy, count: 1) == ["OPTIONS", "PUT", "PUT Digest"])
    #expect(proxy.requests.map(\.bodyByteCount) == [0, 0, 3])
  }

  @Test(arguments: [[], ["WWW-Authenticate: Negotiate"], ["WWW-Authenticate: Bearer realm=x"]])
  func `a server that asks for something else sees no password`(_ fields: [String]) async throws {
    let proxy = try FaultProxy()
    for method in ["OPTIONS", "PUT", "OPTIONS", "PUT"] { proxy.plan(method, refusal(fields)) }
    #expect(try await seen(by: proxy, expecting: 401) == ["OPTIONS", "PUT", "OPTIONS", "PUT"])
  }

  @Test func `wrong credentials are not sent twice`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("OPTIONS", refusal([Self.basic]))
    for _ in 0..<2 { proxy.plan("PUT", refusal([Self.basic])) }
    #expect(try await seen(by: proxy, expecting: 401) == ["OPTIONS", "PUT Basic", "PUT Basic"])
  }

  @Test(arguments: [
    ("Basic realm=\"x\"", [AuthenticationScheme.basic]), ("Digest realm=x, qop=auth", [.digest]),
    ("Digest realm=x, Basic realm=y", [.digest, .basic]), ("basic", [.basic]),
    ("Negotiate, NTLM", []), ("Bearer realm=\"a, Basic b\"", []),
    ("Newauth x=\"a\\\", Basic q=\"", []), ("", []),
  ])
  func `challenges are read`(_ value: String, _ schemes: [AuthenticationScheme]) {
    let response = HTTPResponse(status: 401, headers: [HTTPHeader("www-authenticate", value)])
    #expect(AuthenticationScheme.asked(by: response) == Set(schemes))
  }
}
