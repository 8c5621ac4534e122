import API
import Testing

extension ServerTests {
  /// An invalid or incomplete body is the client's fault and is answered as such.
  @Suite(.timeLimit(.minutes(10))) struct MalformedBodyTests {
    private static let paths = [
      "/v1/configuration/check", "/v1/simulation", "/v1/presses", "/v1/tests/button",
    ]

    private func check(
      _ path: String, _ rest: String, andThen act: (RawConnection) -> Void = { _ in }
    ) async throws {
      let log = MemoryAuditLog()
      let answer = try await withServer(FakeRig(), auditLog: log) { server in
        let raw = try RawConnection(to: server.socketPath)
        raw.send("POST \(path) HTTP/1.1\r\nHost: rig\r\n\(rest)")
        act(raw)
        // The connection ends as well, because the start of a next request is unknown.
        return await raw.readToTheEnd()
      }
      #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
      let body = try #require(answer.split(separator: "\r\n\r\n").last)
      let error = try APICoding.decode(ErrorEnvelope.self, from: body.utf8).error
      #expect(error == APIError(.invalidRequest, "The request's body cannot be read."))
      #expect(log.notes.compactMap(\.status).allSatisfy { $0 == 400 })
    }

    @Test(arguments: paths) func `a chunk without a length is refused`(_ path: String) async throws
    {
      try await check(path, "Transfer-Encoding: chunked\r\n\r\nZZ\r\n")
    }

    @Test(arguments: paths) func `an incomplete body is refused`(_ path: String) async throws {
      try await check(path, "Content-Length: 100\r\n\r\n{") { $0.endSending() }
    }
  }
}
