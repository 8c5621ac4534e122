import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct HTTPClientLinesTests {
  private let client = HTTPClient(userAgent: "tests/1")

  @Test func linesComeAsTheyAreSent() async throws {
    let proxy = try FaultProxy()
    proxy.plan(
      "GET", .respond(answer("200 OK", body: "event: a\ndata: 1\n\n:keep\r\n\r\ndata: 2")))
    var lines: [String] = []
    for try await line in client.lines(of: HTTPRequest(url: proxy.url)) { lines.append(line) }
    #expect(lines == ["event: a", "data: 1", "", ":keep", "", "data: 2"])
  }

  @Test func aReaderThatStopsEndsTheTransfer() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .trickle(head: "HTTP/1.1 200 OK\r\n\r\n", piece: "data\n", milliseconds: 1))
    var count = 0
    for try await _ in client.lines(of: HTTPRequest(url: proxy.url)) {
      count += 1
      if count == 3 { break }
    }
    // One request at a time: this one waits until the other has ended.
    #expect(try await client.send(HTTPRequest(url: proxy.url)).status == 404)
  }

  @Test func aReaderThatIsTooSlowIsTold() async throws {
    let proxy = try FaultProxy()
    proxy.plan(
      "GET", .respond(answer("200 OK", body: String(repeating: "x\n", count: 5000))))
    let lines = client.lines(of: HTTPRequest(url: proxy.url))
    // The client answers this only when the transfer before it has ended.
    try await eventually { !proxy.requests.isEmpty }
    _ = try await client.send(HTTPRequest(url: proxy.url))
    var count = 0
    let error = try await #require(throws: TransferError.self) {
      for try await _ in lines { count += 1 }
    }
    #expect(error.code == .readerTooSlow)
    #expect(count == 4096)
  }

  @Test func aRefusalIsAnErrorWithItsText() async throws {
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
