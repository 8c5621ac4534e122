import API
import Testing

extension ServerTests {
  /// The syntax and the framing of messages by RFC 9112 and 9110, byte by byte.
  ///
  /// Known deviations are the parser's: an unknown method is answered with 400 and not 501, and so
  /// are HTTP/1.2 and an unknown transfer coding.
  @Suite(.timeLimit(.minutes(10))) struct MessageSyntaxTests {
    /// Bytes, and the status of each answer.
    struct Case: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let bytes: String
      let statuses: [Int]

      init(_ name: String, _ statuses: [Int], _ lines: String..., body: String = "") {
        testDescription = name
        bytes = lines.map { $0 + "\r\n" }.joined() + "\r\n" + body
        self.statuses = statuses
      }
    }

    private static let get = "GET /healthz HTTP/1.1"
    private static let post = "POST /v1/presses HTTP/1.1"
    private static let host = "Host: rig"

    /// Requests after which the connection goes on, so that the request behind them is answered.
    static let lasting = [
      Case("9112 2.2: empty line before a request", [200, 200], "", get, host),
      Case("9112 3.2: empty host", [200, 200], get, "Host:"),
      Case("9112 3.2: host with a port and space", [200, 200], get, "host:\t[::1]:8443 "),
      Case("9112 3.2.2: absolute form", [200, 200], "GET http://rig/healthz HTTP/1.1", host),
      Case("9112 5: no space after the colon", [200, 200], get, "Host:rig", "X:"),
      Case("9110 5.3: a field twice", [200, 200], get, host, "Accept: a/b", "Accept: c/d"),
      Case("9112 6: body of GET", [200, 200], get, host, "Content-Length: 2", body: "{}"),
      Case(
        "9112 6.2: body by its length", [200, 200], post, host, "Content-Length: 2", body: "{}"),
      Case(
        "9112 7.1: chunks with an extension and a trailer", [200, 200], post, host,
        "Transfer-Encoding: CHUNKED", body: "1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n"),
      Case(
        "9112 9.3.2: requests in one write", [200, 404, 200], get, host, "",
        "GET /nothing HTTP/1.1", host),
      Case("9110 9.1: method of another path", [405, 200], "PUT /healthz HTTP/1.1", host),
    ]

    /// Requests that are the last on their connection.
    static let last = [
      Case("9112 9.6: close", [200], get, host, "Connection: Close"),
      Case("9112 9.6: close among others", [200], get, host, "Connection: x, close"),
      Case(
        "9110 7.6.1: close in another line", [200], get, host, "Connection: keep-alive",
        "Connection: close"),
      Case("9112 9.3: HTTP/1.0", [200], "GET /healthz HTTP/1.0"),
      Case("9112 9.3: HTTP/1.0 kept", [200], "GET /healthz HTTP/1.0", "Connection: keep-alive"),
      Case(
        "9110 10.1.1: HTTP/1.0 expects nothing", [200], "POST /v1/presses HTTP/1.0",
        "Content-Length: 2", "Expect: 100-continue", body: "{}"),
      Case(
        "9112 9.3.2: close behind another request", [200, 200], get, host, "", get, host,
        "Connection: close"),
      Case("9110 7.8: another protocol", [200], get, host, "Connection: Upgrade", "Upgrade: h2c"),
    ]

    /// Requests with an error, behind which nothing is read.
    static let faulty = [
      Case("9112 2.3: no version", [400], "GET /healthz", host),
      Case("9112 2.3: another protocol", [400], "GET /healthz HTTQ/1.1", host),
      Case("9112 2.3: HTTP/2.0", [400], "GET /healthz HTTP/2.0", host),
      Case("9112 3: space in the target", [400], "GET /health z HTTP/1.1", host),
      Case("9110 9.1: unknown method", [400], "BREW /healthz HTTP/1.1", host),
      Case("9112 3.2: no host", [400], get),
      Case("9112 3.2: two hosts", [400], get, host, host),
      Case("9112 3.2: two hosts in HTTP/1.0", [400], "GET /healthz HTTP/1.0", host, host),
      Case("9112 3.2: host that is none", [400], get, "Host: a b"),
      Case("9112 3.2: no host in a later request", [200, 400], get, host, "", get),
      Case("9112 5.1: space before the colon", [400], get, host, "X : y"),
      Case("9112 2.2: space before the first field", [400], get, " X: y", host),
      Case("9112 5.2: folded field", [400], get, host, "X: y", " z"),
      Case("9110 5.1: no name", [400], get, host, ": y"),
      Case("9110 5.1: name of two words", [400], get, host, "X Y: z"),
      Case("9110 5.5: bare CR", [400], get, host, "X: y\rz"),
      Case("9110 5.5: control character", [400], get, host, "X: y\u{1}z"),
      Case(
        "9112 6.3: two lengths", [400], post, host, "Content-Length: 2", "Content-Length: 3",
        body: "{}"),
      Case("9112 6.3: signed length", [400], post, host, "Content-Length: +2", body: "{}"),
      Case("9112 6.3: no length", [400], post, host, "Content-Length:", body: "{}"),
      Case(
        "9110 8.6: length that is too great", [400], post, host,
        "Content-Length: 99999999999999999999", body: "{}"),
      Case(
        "9112 6.1: length and chunks", [400], post, host, "Content-Length: 2",
        "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
      Case(
        "9112 6.1: chunks and length", [400], post, host, "Transfer-Encoding: chunked",
        "Content-Length: 2", body: "0\r\n\r\n"),
      Case(
        "9112 6.1: chunks are not last", [400], post, host, "Transfer-Encoding: chunked, gzip",
        body: "0\r\n\r\n"),
      Case("9112 6.1: unknown coding", [400], post, host, "Transfer-Encoding: x", body: "{}"),
      Case(
        "9112 7.1: chunk that is too long", [400], post, host, "Transfer-Encoding: chunked",
        body: "1\r\n{}\r\n0\r\n\r\n"),
      Case(
        "9112 7.1: length of a chunk with a sign", [400], post, host, "Transfer-Encoding: chunked",
        body: "+2\r\n{}\r\n0\r\n\r\n"),
    ]

    /// Sends a request and a further one, and returns all answers.
    private func ask(_ bytes: String) async throws -> String {
      try await withServer(FakeRig()) { server in
        let raw = try RawConnection(to: server.socketPath)
        raw.send(bytes + "GET /healthz HTTP/1.1\r\nHost: rig\r\nConnection: close\r\n\r\n")
        return await raw.readToTheEnd()
      }
    }

    private func statuses(_ answers: String) -> [Int] {
      answers.matches(of: /HTTP\/1\.[01] (\d{3})/).compactMap { Int($0.1) }
    }

    private func lines(_ answers: String) -> [Substring] {
      answers.lowercased().split(separator: "\r\n")
    }

    @Test(arguments: lasting) func `a connection goes on`(_ example: Case) async throws {
      let answers = try await ask(example.bytes)
      #expect(statuses(answers) == example.statuses, "\(answers)")
    }

    @Test(arguments: last) func `a connection ends when it has to`(_ example: Case) async throws {
      let answers = try await ask(example.bytes)
      #expect(statuses(answers) == example.statuses, "\(answers)")
      #expect(lines(answers).count { $0 == "connection: close" } == 1, "\(answers)")
    }

    @Test(arguments: faulty) func `an invalid message is refused`(_ example: Case) async throws {
      let answers = try await ask(example.bytes)
      #expect(statuses(answers) == example.statuses, "\(answers)")
    }

    /// RFC 9112, 6.1: a client of HTTP/1.0 knows no chunks, so the connection's end ends a body.
    @Test func `a stream for an old client is not cut into chunks`() async throws {
      try await withServer(FakeRig()) { server in
        let raw = try RawConnection(to: server.socketPath)
        raw.send("GET /v1/events HTTP/1.0\r\n\r\n")
        var text = ""
        while !text.contains("\r\n\r\n"), case let more = await raw.read(), !more.isEmpty {
          text += more
        }
        #expect(text.hasPrefix("HTTP/1.0 200 "), "\(text)")
        #expect(lines(text).contains("connection: close"), "\(text)")
        #expect(!lines(text).contains { $0.hasPrefix("transfer-encoding") }, "\(text)")
      }
    }
  }
}
