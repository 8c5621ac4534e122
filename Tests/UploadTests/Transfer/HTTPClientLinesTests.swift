import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct HTTPClientLinesTests {
  private let client = HTTPClient(userAgent: "tests/1")

  @Test func `lines come as they are sent`() async throws {
    let proxy = try FaultProxy()
    proxy.plan(
      "GET", .respond(answer("200 OK", body: "event: a\ndata: 1\n\n:keep\r\n\r\ndata: 2")))
    var lines: [String] = []
    for try await line in client.lines(of: HTTPRequest(url: proxy.url)) { lines.append(line) }
    #expect(lines == ["event: a", "data: 1", "", ":keep", "", "data: 2"])
  }

  @Test func `a reader that stops ends the transfer`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .trickle(head: "HTTP/1.1 200 OK\r\n\r\n", piece: "data\n", milliseconds: 1))
    var count = 0
    for try await _ in client.lines(of: HTTPRequest(url: proxy.url)) {
      count += 1
      if count == 3 { break }
    }
    // The client sends one request at a time, so the next one waits until the first has ended.
    #expect(try await client.send(HTTPRequest(url: proxy.url)).status == 404)
  }

  @Test func `a reader that is too slow gets an error`() async throws {
    let proxy = try FaultProxy()
    proxy.plan(
      "GET", .respond(answer("200 OK", body: String(repeating: "x\n", count: 5000))))
    let lines = client.lines(of: HTTPRequest(url: proxy.url))
    // The client sends this request only when the transfer before it has ended.
    try await eventually { !proxy.requests.isEmpty }
    _ = try await client.send(HTTPRequest(url: proxy.url))
    var count = 0
    let error = try await #require(throws: TransferError.self) {
      for try await _ in lines { count += 1 }
    }
    #expect(error.code == .readerTooSlow)
    #expect(count == 4096)
  }

  @Test func `a refusal is an error with its text`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .respond(answer("403 Forbidden", body: "who are you?")))
    let error = try await #require(throws: TransferError.self) {
      for try await _ in client.lines(of: HTTPRequest(url: proxy.url)) {}
    }
    #expect(error.code == .unexpectedStatus)
    #expect(error.status == 403)
    #expect(error.cause == "who are you?")
  }
}
