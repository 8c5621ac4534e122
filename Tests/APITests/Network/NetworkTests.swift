import Console
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The API over TCP, asked by curl.
  @Suite struct NetworkTests {
    private func configuration() throws -> NetworkConfiguration {
      try Known.network(
        hosts: ["127.0.0.1", "rig.example"], origins: ["https://console.example"])
    }

    private func bearer(_ token: String) -> [String] { ["-H", "Authorization: Bearer \(token)"] }

    @Test func `a token allows what its permission says`() async throws {
      let network = try configuration()
      let log = MemoryAuditLog()
      let rig = FakeRig()
      try await withServer(rig, auditLog: log, edit: { $0.network = network }) { server in
        let url = "http://127.0.0.1:\(network.port)"
        for (token, acts) in [(Known.reader.token, 403), (Known.operator_.token, 200)] {
          let look = try await CurlHead.ask(bearer(token) + [url + "/v1/status"])
          #expect(look.status == 200)
          let act = try await CurlHead.ask(
            bearer(token) + ["-X", "POST", url + "/v1/session/stop"])
          #expect(act.status == acts, "\(act.body)")
          if acts == 403 { #expect(act.body.contains("api.tcp.tokens.fleet.allow")) }
        }
        // The Unix socket works as before.
        let local = try await CurlAnswer.get("/v1/status", on: server)
        #expect(local.status == 200)
      }
      #expect(rig.capture.calls == ["stop"])
      #expect(log.notes.map(\.stage) == [.refused, .began, .ended])
      #expect(log.notes.map(\.caller.name) == ["fleet", "office", "office"])
      #expect(log.notes.allSatisfy { $0.caller.from == "tcp" && $0.caller.address == "127.0.0.1" })
      let text = String(decoding: try APICoding.encode(log.notes), as: UTF8.self)
      #expect(!text.contains(Known.reader.token) && !text.contains(Known.operator_.token))
    }

    @Test(arguments: [
      [], ["-H", "Authorization: Bearer"], ["-H", "Authorization: Bearer platen_x"],
      ["-H", "Authorization: Basic cm9vdDpyb290"], ["-u", "root:root"],
    ])
    func `a client without a known token is asked for one`(_ arguments: [String]) async throws {
      let network = try configuration()
      let log = MemoryAuditLog()
      // The clock stands still, so only the first refusal is entered, however long the test takes.
      try await withServer(
        FakeRig(), auditLog: log, clock: ManualClock(), edit: { $0.network = network }
      ) { _ in
        for path in ["/v1/status", "/healthz", "/metrics", "/v1/nothing", "/v1/session/stop"] {
          let method = path.hasSuffix("stop") ? "POST" : "GET"
          let answer = try await CurlHead.ask(
            arguments + ["-X", method, "http://127.0.0.1:\(network.port)\(path)"])
          #expect(answer.status == 401, "\(path)")
          #expect(answer.headers["www-authenticate"] == "Bearer realm=\"platen\"")
          let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
          #expect(error.code == .unauthenticated && !error.message.contains("platen_x"))
        }
      }
      #expect(log.notes.map(\.status) == [401] && log.notes.first?.stage == .refused)
    }

    @Test(
      arguments: [
        (["Host: evil.example"], 403), (["Host: rig.example"], 200),
        (["Host: RIG.example:99"], 200),
        (["Host: 127.0.0.1.evil.example"], 403), (["Host: [::1]"], 403), (["Host: "], 403),
        (["Origin: https://evil.example"], 403), (["Origin: null"], 403),
        (["Origin: https://console.example"], 200),
        (["Origin: https://console.example.evil.example"], 403),
        (["Origin: https://console.example", "Origin: https://evil.example"], 403),
      ] as [([String], Int)])
    func `host and origin must be listed`(headers: [String], status: Int) async throws {
      let network = try configuration()
      let answer = try await withServer(FakeRig(), edit: { $0.network = network }) { _ in
        try await CurlHead.ask(
          bearer(Known.operator_.token) + headers.flatMap { ["-H", $0] }
            + ["http://127.0.0.1:\(network.port)/v1/status"])
      }
      #expect(answer.status == status, "\(answer.body)")
    }

    /// The address may be assigned later, or another program may release the port.
    @Test func `an unavailable address is retried`() async throws {
      let network = try configuration()
      let said = Mutex<[String?]>([])
      let url = "http://127.0.0.1:\(network.port)/v1/status"
      let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      try #require(listens(other, at: network.port))
      try await withServer(
        FakeRig(), edit: { $0.network = network },
        onProblem: { place, problem in
          guard place == .network else { return }
          said.withLock { $0.append(problem) }
        }
      ) { server in
        _ = try await server.client.status()
        let first = said.withLock { $0.first ?? nil }
        #expect(first?.hasSuffix("cannot be used: Address already in use") == true)
        close(other)
        try await eventually { said.withLock { $0.last == .some(nil) } }
        #expect(try await CurlHead.ask(bearer(Known.reader.token) + [url]).status == 200)
      }
    }

    private func listens(_ descriptor: Int32, at port: Int) -> Bool {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      } == 0 && listen(descriptor, 1) == 0
    }
  }
}
