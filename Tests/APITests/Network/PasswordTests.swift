import Devices
import Foundation
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The token as a password, for players of the live picture; asked by curl.
  @Suite(.timeLimit(.minutes(10))) struct PasswordTests {
    private static let bearer = "Bearer realm=\"platen\""
    private static let both = bearer + ", Basic realm=\"platen\""

    private func withRig(
      _ rig: FakeRig = FakeRig(), clock: any MonotonicClock = SystemMonotonicClock(),
      _ body: ((String, [String]) async throws -> CurlHead) async throws -> Void
    ) async throws {
      let network = try Known.network()
      try await withServer(rig, clock: clock, edit: { $0.network = network }) { _ in
        try await body { path, arguments in
          try await CurlHead.ask(arguments + ["http://127.0.0.1:\(network.port)\(path)"])
        }
      }
    }

    @Test(arguments: ["", "viewer", "b\u{E4}rbel"])
    func `a player shows a token as the password of any user`(_ user: String) async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.previewFailure = APIError(.unavailable, "Too hot.") }
      try await withRig(rig) { curl in
        for token in [Known.reader.token, Known.operator_.token] {
          // The rig is asked, and answers that it has no picture.
          for path in ["/v1/preview/stream", "/v1/preview/loupe", "/v1/preview/page"] {
            let answer = try await curl(path, ["-u", "\(user):\(token)"])
            #expect(answer.status == 503 && answer.body.contains("Too hot."), "\(path)")
          }
        }
      }
      #expect(rig.alignment.streams.count == 2)
    }

    @Test func `only the live picture is shown for a password`() async throws {
      let rig = FakeRig()
      try await withRig(rig) { curl in
        let password = ["-u", "viewer:\(Known.operator_.token)"]
        for path in ["/v1/status", "/v1/preview", "/v1/presses", "/v1/spool/items", "/metrics"] {
          let answer = try await curl(path, password)
          #expect(answer.status == 401, "\(path)")
          #expect(answer.headers["www-authenticate"] == Self.bearer, "\(path)")
        }
        for path in ["/v1/session/stop", "/v1/preview/stream", "/v1/preview/loupe"] {
          let answer = try await curl(path, password + ["-X", "POST"])
          #expect(answer.status == 401, "\(path)")
        }
      }
      #expect(rig.capture.calls.isEmpty && rig.alignment.streams.isEmpty)
    }

    @Test func `operations with a password only look`() {
      let taking = APIRoutes.every().map(\.operation).filter(\.takesPassword)
      #expect(taking.map(\.id).sorted() == ["loupe", "previewPage", "previewStream"])
      #expect(taking.allSatisfy { $0.method == .get && $0.permission == .read })
    }

    @Test func `only a stranger who is no page is asked for a password`() async throws {
      try await withRig { curl in
        for path in ["/v1/preview/stream", "/v1/preview/loupe"] {
          for arguments in [[], ["-H", "Sec-Fetch-Site: none"], ["-H", "Cookie: other=1"]] {
            let answer = try await curl(path, arguments)
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"] == Self.both, "\(arguments)")
          }
          for arguments in [
            ["-H", "X-Requested-With: platen"], ["-H", "Sec-Fetch-Site: same-origin"],
            ["-H", "Sec-Fetch-Site: cross-site"],
            ["-H", "Cookie: platen-session=x"], ["-H", "Authorization: Bearer platen_x"],
            ["-u", "viewer:platen_x"], ["-H", "Authorization: Basic Og=="],
            ["-H", "Authorization: Basic"],
            ["-H", "Authorization: Basic ???"], ["-H", "Authorization: Basic dmlld2Vy"],
            ["-H", "Authorization: Basic /w=="],
          ] {
            let answer = try await curl(path, arguments)
            #expect(answer.status == 401, "\(arguments)")
            #expect(answer.headers["www-authenticate"] == Self.bearer, "\(arguments)")
            #expect(!answer.body.contains("platen_x"))
          }
        }
        let other = try await curl("/v1/status", [])
        #expect(other.headers["www-authenticate"] == Self.bearer)
      }
    }

    @Test func `a foreign page cannot use a password that the browser knows`() async throws {
      try await withRig { curl in
        let password = ["-u", "viewer:\(Known.reader.token)"]
        for header in [
          "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://evil.example",
          "Host: evil.example",
        ] {
          let answer = try await curl("/v1/preview/loupe", password + ["-H", header])
          #expect(answer.status == 403, "\(header)")
        }
        for relation in ["same-origin", "none"] {
          let answer = try await curl(
            "/v1/preview/loupe", password + ["-H", "Sec-Fetch-Site: \(relation)"])
          #expect(answer.status == 200, "\(relation)")
          #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        }
      }
    }

    @Test func `a wrong password beside the cookie of a sign-in is no mistake`() async throws {
      try await withRig(clock: ManualClock()) { curl in
        let signIn = try await curl("/v1/sign-in", ["-d", "{\"token\":\"\(Known.reader.token)\"}"])
        let cookie = try #require(signIn.headers["set-cookie"], "\(signIn.body)")
        let shown = ["-u", "viewer:platen_x", "-H", "Cookie: \(cookie.prefix { $0 != ";" })"]
        for _ in 0..<12 {
          let answer = try await curl("/v1/preview/loupe", shown)
          #expect(answer.status == 200)
        }
        let foreign = try await curl(
          "/v1/preview/loupe", shown + ["-H", "Sec-Fetch-Site: cross-site"])
        #expect(foreign.status == 403)
        let ended = ["-u", "viewer:platen_x", "-H", "Cookie: platen-session=x"]
        for status in Array(repeating: 401, count: 10) + [429] {
          let answer = try await curl("/v1/preview/loupe", ended)
          #expect(answer.status == status)
        }
      }
    }

    @Test func `wrong passwords count as wrong tokens do`() async throws {
      let clock = ManualClock()
      try await withRig(clock: clock) { curl in
        for _ in 0..<5 {
          let wrong = try await curl("/v1/preview/loupe", ["-u", "viewer:platen_x"])
          #expect(wrong.status == 401)
          let signIn = try await curl(
            "/v1/sign-in", ["-d", "{\"token\":\"platen_x\"}"])
          #expect(signIn.status == 401, "\(signIn.body)")
        }
        let refused = try await curl("/v1/preview/loupe", ["-u", "viewer:platen_x"])
        #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
        // Other people behind the same proxy are not locked out.
        let right = try await curl("/v1/preview/loupe", ["-u", "viewer:\(Known.reader.token)"])
        #expect(right.status == 200)
        clock.advance(by: .seconds(1))
        let later = try await curl("/v1/preview/loupe", ["-u", "viewer:platen_x"])
        #expect(later.status == 401)
      }
    }
  }
}
