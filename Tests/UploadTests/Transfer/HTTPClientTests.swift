import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Transfer
import Upload

@Suite(.timeLimit(.minutes(10))) struct HTTPClientTests {
  private let client = HTTPClient(userAgent: "tests/1")

  /// Sends a request that must fail and returns the error.
  private func failure(of request: HTTPRequest) async throws -> TransferError {
    try await #require(throws: TransferError.self) { try await client.send(request) }
  }

  @Test func `bodies of all kinds arrive whole`() async throws {
    try await withReceivingServer { server in
      let directory = TemporaryDirectory()
      // The larger body makes libcurl ask with Expect: 100-continue first.
      for (name, bytes) in [
        ("a", [UInt8]()), ("b", somePicture()), ("c", somePicture(byteCount: 3_000_000)),
      ] {
        let delivery = try await directory.delivery(id: name, bytes: bytes)
        for (kind, body) in [
          ("bytes", HTTPBody.bytes(bytes)), ("file", .file(path: delivery.path)),
        ] {
          let object = "\(kind)/\(name)"
          let response = try await client.send(
            HTTPRequest(method: "PUT", url: server.url + object, body: body))
          #expect(response.status == 201)
          #expect(try server.object(object) == bytes)
          let answer = try await client.send(
            HTTPRequest(url: server.url + object, maximumResponseBytes: bytes.count))
          #expect(answer.status == 200)
          #expect(answer.body == bytes)
          #expect(answer["content-length"] == "\(bytes.count)")
        }
      }
    }
  }

  @Test func `only the given part of a file arrives`() async throws {
    try await withReceivingServer { server in
      let directory = TemporaryDirectory()
      let bytes = somePicture(byteCount: 3_000_000)
      let path = try await directory.delivery(bytes: bytes).path
      for range in [0..<3_000_000, 1..<2, 17..<2_000_017, 2_999_999..<3_000_000, 5..<5] {
        let body = HTTPBody.fileRange(
          path: path, offset: Int64(range.lowerBound), byteCount: Int64(range.count))
        let response = try await client.send(
          HTTPRequest(method: "PUT", url: server.url + "part", body: body))
        #expect([201, 204].contains(response.status))
        #expect(try server.object("part") == Array(bytes[range]))
      }
      let beyond = HTTPBody.fileRange(path: path, offset: 2_999_999, byteCount: 2)
      let error = try await failure(
        of: HTTPRequest(method: "PUT", url: server.url + "beyond", body: beyond))
      #expect(error.code == .fileUnreadable)
      #expect(try server.objects() == ["part"])
    }
  }

  @Test func `a body is sent no faster than allowed`() async throws {
    try await withReceivingServer { server in
      let bytes = somePicture(byteCount: 400_000)
      var request = HTTPRequest(method: "PUT", url: server.url + "x", body: .bytes(bytes))
      request.maximumBytesPerSecond = 200_000
      let limited = try await ContinuousClock().measure { _ = try await client.send(request) }
      // By the numbers it takes two seconds, but libcurl sends the first buffers without a limit.
      #expect(limited > .milliseconds(500))
      #expect(try server.object("x") == bytes)
      // The limit of one request does not hold for the next, which would take over an hour under it.
      request.maximumBytesPerSecond = 100
      request.body = .bytes([7])
      #expect(try await client.send(request).isSuccess)
      request.maximumBytesPerSecond = nil
      request.body = .bytes(bytes)
      #expect(try await client.send(request).isSuccess)
    }
  }

  @Test func `the connection is kept between requests`() async throws {
    try await withReceivingServer(
      changes: [
        "access_log \"": "log_format c '$connection'; access_log \"",
        "access.log\";": "access.log\" c;",
      ]
    ) { server in
      for _ in 0..<3 {
        _ = try await client.send(
          HTTPRequest(method: "PUT", url: server.url + "x", body: .bytes([1])))
        _ = try await client.send(HTTPRequest(method: "HEAD", url: server.url + "x"))
      }
      try await server.stop()
      let log = try String(contentsOfFile: server.directory.path + "/access.log", encoding: .utf8)
      let connections = log.split(separator: "\n").suffix(6)
      #expect(connections.count == 6)
      #expect(Set(connections).count == 1)
    }
  }

  @Test func `a POST keeps the connection only if it may come twice`() async throws {
    try await withReceivingServer(
      changes: [
        "access_log \"": "log_format c '$connection'; access_log \"",
        "access.log\";": "access.log\" c;",
        "dav_methods": "if ($request_method = POST) { return 204; } dav_methods",
      ]
    ) { server in
      for isRepeatable in [true, true, false] {
        _ = try await client.send(
          HTTPRequest(
            method: "POST", url: server.url + "x", body: .bytes([1]), isRepeatable: isRepeatable))
      }
      try await server.stop()
      let log = try String(contentsOfFile: server.directory.path + "/access.log", encoding: .utf8)
      let connections = Array(log.split(separator: "\n").suffix(3))
      try #require(connections.count == 3)
      #expect(connections[0] == connections[1])
      #expect(connections[1] != connections[2])
    }
  }

  @Test func `a large body is announced until the server has taken one`() async throws {
    let proxy = try FaultProxy()
    let body = HTTPBody.bytes(somePicture(byteCount: 3_000_000))
    for status in ["201 Created", "201 Created", "507 Full", "201 Created"] {
      proxy.plan("PUT", .respond(answer(status)))
      _ = try await client.send(HTTPRequest(method: "PUT", url: proxy.url, body: body))
    }
    #expect(
      proxy.requests.map { $0.head.contains("Expect: 100-continue") }
        == [true, false, false, true])
  }

  @Test func `an unknown host or a closed port is reported`() async throws {
    let port = try LocalPort.free()
    let refused = try await failure(
      of: HTTPRequest(url: "http://u:secret@127.0.0.1:\(port)/x?secret"))
    #expect(refused.code == .couldNotConnect)
    #expect(refused.url == "http://127.0.0.1:\(port)/x?…")
    #expect(!"\(refused)".contains("secret"))
    #expect(refused.cause?.contains("127.0.0.1") == true)
    // A label is too long for any name server to be asked.
    let host = String(repeating: "h", count: 64)
    let unknown = try await failure(of: HTTPRequest(url: "http://\(host).invalid/"))
    #expect(unknown.code == .couldNotResolve)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "", "http://", "http://a b/",
  ])
  func `other URLs are refused`(url: String) async throws {
    #expect(try await failure(of: HTTPRequest(url: url)).code == .badURL)
  }

  @Test func `a request that cannot be sent is refused`() async throws {
    let url = "http://127.0.0.1:1/"
    let header = HTTPRequest(url: url, headers: [HTTPHeader("X", "a\r\nAuthorization: secret")])
    let error = try await failure(of: header)
    #expect(error.code == .badRequest)
    #expect(!"\(error)".contains("secret"))
    #expect(try await failure(of: HTTPRequest(method: "GET /", url: url)).code == .badRequest)
    let directory = TemporaryDirectory()
    for path in ["/nonexistent", directory.path, "/dev/zero"] {
      let request = HTTPRequest(method: "PUT", url: url, body: .file(path: path))
      #expect(try await failure(of: request).code == .fileUnreadable)
    }
    let delivery = try await directory.delivery()
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/link", withDestinationPath: delivery.path)
    let link = HTTPRequest(method: "PUT", url: url, body: .file(path: directory.path + "/link"))
    #expect(try await failure(of: link).code == .fileUnreadable)
  }

  @Test func `broken connections are reported`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .resetBeforeResponse)
    #expect(try await failure(of: HTTPRequest(url: proxy.url)).code == .receiveFailed)
    proxy.plan("GET", .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"))
    #expect(try await failure(of: HTTPRequest(url: proxy.url)).code == .receiveFailed)
    proxy.plan("GET", .respond("220 mail.example ESMTP\r\n"))
    let odd = try await failure(of: HTTPRequest(url: proxy.url))
    // A wrong URL would hold the target until somebody corrects the configuration.
    #expect(odd.code == .malformedResponse, "\(odd)")
    proxy.plan("PUT", .resetMidBody(after: 1000))
    let put = HTTPRequest(
      method: "PUT", url: proxy.url, body: .bytes(somePicture(byteCount: 900_000)))
    let code = try await failure(of: put).code
    #expect(code == .sendFailed || code == .receiveFailed)
  }

  @Test func `timeouts hold`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .hang)
    let silent = try await failure(
      of: HTTPRequest(url: proxy.url, stallTimeout: .milliseconds(80)))
    #expect(silent.code == .timedOut)
    #expect(silent.cause?.contains("no byte moved") == true)
    proxy.plan("GET", .trickle(head: "HTTP/1.1 200 OK\r\n\r\n", piece: "x", milliseconds: 5))
    let slow = try await failure(
      of: HTTPRequest(
        url: proxy.url, stallTimeout: .seconds(50), totalTimeout: .milliseconds(120)))
    #expect(slow.code == .timedOut)
    proxy.plan("GET", .trickle(head: "HTTP/1.1 200 OK\r\n", piece: "x", milliseconds: 5))
    let slowHead = try await failure(
      of: HTTPRequest(
        url: proxy.url, stallTimeout: .seconds(50), totalTimeout: .milliseconds(120)))
    #expect(slowHead.code == .timedOut)
  }

  @Test func `size limits hold`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .respond(answer("200 OK", body: String(repeating: "x", count: 101))))
    #expect(
      try await failure(of: HTTPRequest(url: proxy.url, maximumResponseBytes: 100)).code
        == .responseTooLarge)
    proxy.plan(
      "GET",
      .trickle(
        head: "HTTP/1.1 200 OK\r\n", piece: String(repeating: "X-Y: z\r\n", count: 500),
        milliseconds: 0))
    #expect(try await failure(of: HTTPRequest(url: proxy.url)).code == .responseTooLarge)
    proxy.plan(
      "GET",
      .trickle(
        head: "", piece: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 200),
        milliseconds: 0))
    #expect(try await failure(of: HTTPRequest(url: proxy.url)).code == .responseTooLarge)
  }

  @Test func `redirects are not followed`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .respond(answer("302 Found", ["Location: http://127.0.0.1:1/"])))
    let response = try await client.send(
      HTTPRequest(url: proxy.url, credentials: HTTPCredentials(user: "a", password: "b")))
    #expect(response.status == 302)
    #expect(proxy.requests.count == 1)
  }

  @Test func `credentials and fields are sent`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("MKCOL", .respond(answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=x"])))
    _ = try await client.send(
      HTTPRequest(
        method: "MKCOL", url: proxy.url,
        headers: [HTTPHeader("X-Empty", ""), HTTPHeader("X-A", "b")],
        credentials: HTTPCredentials(user: "Aladdin", password: "open sesame")))
    let head = try #require(proxy.requests.last?.head)
    #expect(head.hasPrefix("MKCOL / HTTP/1.1\r\n"))
    // The example of RFC 7617.
    #expect(head.contains("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"))
    #expect(head.contains("X-Empty:\r\n"))
    #expect(head.contains("X-A: b\r\n"))
    #expect(head.contains("User-Agent: tests/1\r\n"))
  }

  @Test func `a reader gets the body and may end it`() async throws {
    try await withReceivingServer { server in
      let bytes = somePicture(byteCount: 400_000)
      try server.place(bytes, as: "x")
      let box = Received()
      let response = try await client.send(HTTPRequest(url: server.url + "x")) { box.add($0) }
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
      #expect(box.bytes == bytes)
      let short = Received(limit: 10)
      let ended = try await client.send(HTTPRequest(url: server.url + "x")) { short.add($0) }
      #expect(ended.status == 200)
      #expect(short.bytes.count < bytes.count)
      let missing = Received()
      let none = try await client.send(HTTPRequest(url: server.url + "y")) { missing.add($0) }
      #expect(none.status == 404)
      #expect(missing.bytes.isEmpty)
      #expect(none.text.contains("404"))
    }
  }

  @Test func `canceling ends a running transfer at once`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .trickle(head: "HTTP/1.1 200 OK\r\n\r\n", piece: "x", milliseconds: 1))
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [client] in
      try await client.send(HTTPRequest(url: proxy.url)) { _ in
        begin.yield()
        return true
      }
    }
    for await _ in begins { break }
    task.cancel()
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? TransferError)?.code == .cancelled }
    // The client still works.
    #expect(try await client.send(HTTPRequest(url: proxy.url)).status == 404)
  }

  @Test func `canceling ends a silent transfer at once`() async throws {
    let proxy = try FaultProxy()
    // The silence begins later than the 200 ms after which libcurl looks at a new connection by
    // itself. From then on only the cancellation ends the transfer within the time limit of these
    // tests.
    proxy.plan("GET", .fallSilent(afterMilliseconds: 300))
    let request = HTTPRequest(
      url: proxy.url, connectTimeout: .seconds(1200), stallTimeout: .seconds(1200))
    let (bytes, byte) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [client] in
      try await client.send(request) { _ in
        byte.yield()
        return true
      }
    }
    for await _ in bytes { break }
    task.cancel()
    let silent = await task.result
    #expect { try silent.get() } throws: { ($0 as? TransferError)?.code == .cancelled }
    let cancelled = Task { [client] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.send(HTTPRequest(url: proxy.url))
    }
    let result = await cancelled.result
    #expect { try result.get() } throws: { ($0 as? TransferError)?.code == .cancelled }
    #expect(proxy.requests.count == 1)
  }

  @Test func `requests of many tasks all come through`() async throws {
    try await withReceivingServer { server in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask { [client] in
            try await client.send(
              HTTPRequest(
                method: "PUT", url: server.url + "n/\(number)", body: .bytes([UInt8(number)]))
            ).status
          }
        }
        for try await status in group { #expect(status == 201) }
      }
      #expect(try server.objects().count == 20)
    }
  }

  @Test func `a transfer held back by its rate can be canceled`() async throws {
    try await withReceivingServer { server in
      try server.place(somePicture(byteCount: 1_000_000), as: "slow")
      let (pieces, piece) = AsyncStream.makeStream(of: Void.self)
      let task = Task { [client] in
        try await client.send(
          HTTPRequest(
            url: server.url + "slow", maximumResponseBytes: 2_000_000,
            maximumBytesPerSecond: 1000)
        ) { _ in
          piece.yield()
          return true
        }
      }
      for await _ in pieces { break }
      task.cancel()
      let result = await task.result
      // Without the cancellation the transfer takes longer than the time limit of these tests.
      #expect { try result.get() } throws: { ($0 as? TransferError)?.code == .cancelled }
    }
  }
}

/// A collector of the body of an answer.
private final class Received: Sendable {
  private let limit: Int
  private let content = Mutex([UInt8]())

  init(limit: Int = .max) { self.limit = limit }

  var bytes: [UInt8] { content.withLock { $0 } }

  func add(_ piece: UnsafeRawBufferPointer) -> Bool {
    content.withLock {
      $0 += piece
      return $0.count < limit
    }
  }
}
