import Devices
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The sign-in of browsers over TCP, played by curl.
  @Suite(.timeLimit(.minutes(10))) struct SignInTests {
    /// A server with a port, and what a browser would say to it.
    private struct Place: Sendable {
      let server: RunningServer
      let port: Int

      func curl(_ path: String, _ arguments: [String] = []) async throws -> CurlHead {
        try await CurlHead.ask(arguments + ["http://127.0.0.1:\(port)\(path)"])
      }

      /// The header of the rig's own page.
      var origin: [String] { ["-H", "Origin: http://127.0.0.1:\(port)"] }

      func signIn(_ token: String, _ arguments: [String]? = nil) async throws -> CurlHead {
        try await curl(
          "/v1/sign-in", (arguments ?? origin) + ["-d", "{\"token\":\"\(token)\"}"])
      }

      /// Signs in and returns the argument that shows the cookie.
      func cookie(_ token: String) async throws -> [String] {
        let answer = try await signIn(token)
        let cookie = try #require(answer.headers["set-cookie"], "\(answer.body)")
        return ["-H", "Cookie: other=1; " + cookie.prefix { $0 != ";" }]
      }
    }

    private func withPlace<Success: Sendable>(
      _ rig: FakeRig = FakeRig(), auditLog: MemoryAuditLog = MemoryAuditLog(),
      signIns: (any SignInStore)? = nil, clock: any MonotonicClock = SystemMonotonicClock(),
      _ body: (Place) async throws -> Success
    ) async throws -> Success {
      let network = try Known.network()
      return try await withServer(
        rig, auditLog: auditLog, signIns: signIns, clock: clock, edit: { $0.network = network }
      ) { server in
        try await body(Place(server: server, port: network.port))
      }
    }

    @Test func `a token is exchanged for a cookie that is not the token`() async throws {
      try await withPlace { place in
        let answer = try await place.signIn(Known.operator_.token)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.headers["content-length"] == nil)
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(!cookie.contains(Known.operator_.token))
        let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
        #expect(parts.first?.hasPrefix("platen-session=") == true)
        #expect(
          parts.dropFirst().sorted() == [
            "HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict",
          ])
        let other = try await place.signIn(Known.operator_.token)
        #expect(other.headers["set-cookie"] != cookie)
        let secure = try await place.signIn(
          Known.operator_.token,
          ["-H", "X-Forwarded-Proto: https", "-H", "Origin: https://127.0.0.1:\(place.port)"])
        #expect(secure.headers["set-cookie"]?.hasSuffix("; Secure") == true)
      }
    }

    @Test func `a cookie allows what its token allows`() async throws {
      let rig = FakeRig()
      let log = MemoryAuditLog()
      try await withPlace(rig, auditLog: log) { place in
        for (token, name, acts) in [
          (Known.reader.token, "fleet", 403), (Known.operator_.token, "office", 200),
        ] {
          let cookie = try await place.cookie(token)
          let known = try await place.curl("/v1/sign-in", cookie)
          let report = try APICoding.decode(SignInReport.self, from: known.body.utf8)
          #expect(report.name == name)
          #expect(report.permissions == (acts == 200 ? [.read, .act] : [.read]))
          #expect(try await place.curl("/v1/status", cookie).status == 200)
          let act = try await place.curl(
            "/v1/session/stop", cookie + place.origin + ["-X", "POST"])
          #expect(act.status == acts, "\(act.body)")
        }
      }
      #expect(rig.capture.calls == ["stop"])
      #expect(log.notes.map(\.caller.name) == ["fleet", "office", "office"])
    }

    @Test func `a sign-out ends the session`() async throws {
      try await withPlace { place in
        let cookie = try await place.cookie(Known.reader.token)
        let other = try await place.cookie(Known.reader.token)
        let answer = try await place.curl("/v1/sign-out", cookie + place.origin + ["-X", "POST"])
        #expect(answer.status == 204)
        let removal = try #require(answer.headers["set-cookie"])
        #expect(removal.hasPrefix("platen-session=; Path=/; Max-Age=0"))
        let after = try await place.curl("/v1/sign-in", cookie)
        #expect(after.status == 401 && after.body.contains("has ended"))
        #expect(try await place.curl("/v1/sign-in", other).status == 200)
        // A repetition does no harm.
        let again = try await place.curl("/v1/sign-out", cookie + ["-X", "POST"])
        #expect(again.status == 204)
      }
    }

    @Test func `a sign-in outlasts the service`() async throws {
      let store = MemorySignInStore()
      let cookie = try await withPlace(signIns: store) { try await $0.cookie(Known.reader.token) }
      let known = try await withPlace(signIns: store) { try await $0.curl("/v1/status", cookie) }
      #expect(known.status == 200)
      let forgotten = try await withPlace { try await $0.curl("/v1/status", cookie) }
      #expect(forgotten.status == 401)
    }

    @Test func `a session ends with time`() async throws {
      let clock = ManualClock()
      try await withPlace(clock: clock) { place in
        let cookie = try await place.cookie(Known.reader.token)
        clock.advance(by: SignInSessions.idleLifetime)
        #expect(try await place.curl("/v1/status", cookie).status == 401)
      }
    }

    @Test(
      arguments: [
        ("", 400), ("{}", 400), ("{\"token\":\"\"}", 400), ("{\"token\":7}", 400),
        ("{\"token\":null}", 400), ("{\"token\":\"x\",\"name\":\"y\"}", 400),
        ("{\"token\":\"" + String(repeating: "x", count: 201) + "\"}", 400),
        ("{\"token\":\"platen_x\"}", 401),
      ] as [(String, Int)])
    func `a wrong token gets no cookie`(body: String, status: Int) async throws {
      let log = MemoryAuditLog()
      try await withPlace(auditLog: log) { place in
        let answer = try await place.curl("/v1/sign-in", place.origin + ["-d", body])
        #expect(answer.status == status, "\(answer.body)")
        #expect(answer.headers["set-cookie"] == nil)
        #expect(!answer.body.contains("platen_x") && !answer.body.contains("xxx"))
      }
      #expect(log.notes.map(\.status) == (status == 401 ? [401] : []))
    }

    /// A foreign page, a page at another port, and a name that leads to the rig.
    @Test func `no other page can use a cookie or sign in`() async throws {
      let rig = FakeRig()
      try await withPlace(rig) { place in
        let cookie = try await place.cookie(Known.operator_.token)
        let act = ["-X", "POST"]
        let own = place.origin
        let foreignHeaders: [[String]] = [
          [], ["-H", "Origin: http://evil.example"], ["-H", "Origin: null"],
          ["-H", "Origin: http://127.0.0.1"],
          ["-H", "Origin: http://127.0.0.1:\(place.port + 1)"],
          own + ["-H", "X-Forwarded-Proto: https"], own + ["-H", "Host: evil.example"],
          ["-H", "Origin: http://evil.example", "-H", "Host: evil.example"],
        ]
        for headers in foreignHeaders {
          let answer = try await place.curl("/v1/session/stop", cookie + act + headers)
          #expect(answer.status == 403, "\(headers) \(answer.body)")
        }
        for relation in ["cross-site", "same-site"] {
          let look = try await place.curl(
            "/v1/status", cookie + ["-H", "Sec-Fetch-Site: \(relation)"])
          #expect(look.status == 403, "\(relation)")
        }
        for relation in ["same-origin", "none"] {
          let look = try await place.curl(
            "/v1/status", cookie + ["-H", "Sec-Fetch-Site: \(relation)"])
          #expect(look.status == 200, "\(relation)")
        }
        let foreign = try await place.curl(
          "/v1/sign-in",
          ["-H", "Origin: http://evil.example", "-d", "{\"token\":\"\(Known.reader.token)\"}"])
        #expect(foreign.status == 403 && foreign.headers["set-cookie"] == nil)
        // Behind TLS the page's own origin is one with TLS.
        let secure = try await place.curl(
          "/v1/session/stop",
          cookie + act + [
            "-H", "Origin: https://127.0.0.1:\(place.port)", "-H", "X-Forwarded-Proto: https",
          ])
        #expect(secure.status == 200, "\(secure.body)")
      }
      #expect(rig.capture.calls == ["stop"])
    }

    @Test func `an unknown cookie is refused like no token`() async throws {
      try await withPlace { place in
        for cookie in ["platen-session=", "platen-session=x", "other=1", "platen-session"] {
          let answer = try await place.curl("/v1/sign-in", ["-H", "Cookie: \(cookie)"])
          #expect(answer.status == 401, "\(cookie)")
          #expect(answer.headers["www-authenticate"] == "Bearer realm=\"platen\"")
        }
        // A token in the header goes before a cookie.
        let both = try await place.curl(
          "/v1/status",
          ["-H", "Cookie: platen-session=x", "-H", "Authorization: Bearer \(Known.reader.token)"])
        #expect(both.status == 200)
      }
    }

    @Test func `the socket's callers are known without a sign-in`() async throws {
      try await withPlace { place in
        let known = try await CurlAnswer.get("/v1/sign-in", on: place.server)
        let report = try APICoding.decode(SignInReport.self, from: known.body.utf8)
        #expect(known.status == 200 && report.permissions == [.read, .act])
        let refused = try await CurlAnswer.get(
          "/v1/sign-in", on: place.server, ["-d", "{\"token\":\"\(Known.reader.token)\"}"])
        #expect(refused.status == 409)
      }
    }
  }
}
