import Foundation
import Testing
import TestSupport
import Transfer

@testable import Upload

/// Delivery with one conditional `PUT`, to an nginx that honors the condition or to a proxy.
@Suite(.timeLimit(.minutes(10))) struct PlainPutTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  /// Replacements that make nginx honor the condition.
  ///
  /// With them nginx answers `412` to a `PUT` with `If-None-Match: *` for an existing object, and
  /// forgets WebDAV.
  private static let honoursCondition = [
    "dav_methods PUT DELETE MKCOL COPY MOVE;": """
    dav_methods PUT DELETE;
    set $clash "$request_method$http_if_none_match";
    if (-f $request_filename) { set $clash "$clash+"; }
    if ($clash = "PUT*+") { return 412; }
    """
  ]

  private func target(
    _ url: String, _ verification: Receipt.Verification = .readBack, storesMetadata: Bool = false
  ) throws -> WebDAVTarget {
    try WebDAVTarget(
      WebDAVConfiguration(
        url: url, verification: verification, commit: .put, storesMetadata: storesMetadata))
  }

  @Test(arguments: [0, 100_003, 3_000_000])
  func `an item arrives whole with its digests`(byteCount: Int) async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      let bytes = somePicture(byteCount: byteCount)
      let delivery = try await files.delivery(bytes: bytes, remoteName: "a/page.jpg")
      let receipt = try await target(proxy.url).deliver(delivery, journal: journal)
      #expect(try server.object("a/page.jpg") == bytes)
      #expect(try server.objects() == ["a/page.jpg"])
      #expect(receipt.verification == .readBack)
      #expect(receipt.isDuplicate == false)
      #expect(proxy.requests.map(\.method) == ["GET", "PUT", "GET"])
      let head = try #require(proxy.requests.dropFirst().first?.head)
      #expect(head.contains("If-None-Match: *\r\n"))
      let digest = { (name: String) in
        try await run(
          "/bin/sh",
          ["-c", "openssl dgst -\(name) -binary '\(delivery.path)' | openssl base64 -A"])
      }
      #expect(head.contains("Content-MD5: \(try await digest("md5"))\r\n"))
      #expect(head.contains("Repr-Digest: sha-256=:\(try await digest("sha256")):\r\n"))
    }
  }

  @Test(arguments: [0, 1])
  func `an item that exists already is delivered`(attempts: Int) async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      try server.place(somePicture(), as: "page.jpg")
      let delivery = try await files.delivery(remoteName: "page.jpg", attempts: attempts)
      let receipt = try await target(server.url).deliver(delivery, journal: journal)
      #expect(receipt.isDuplicate)
      #expect(receipt.verification == .readBack)
    }
  }

  @Test(arguments: [0, 1])
  func `something else under the name is left alone`(attempts: Int) async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      try server.place(somePicture(seed: 2), as: "page.jpg")
      let delivery = try await files.delivery(remoteName: "page.jpg", attempts: attempts)
      let failure = try await target(server.url).failure(of: delivery)
      #expect(failure.code == .conflict)
      #expect(failure.scope == .item)
      #expect(try server.object("page.jpg") == somePicture(seed: 2))
    }
  }

  @Test func `a lost answer leaves one object`() async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("PUT", .loseResponse)
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      #expect(try await target.failure(of: delivery).code == .unreachable)
      delivery.attempts = 1
      #expect(try await target.deliver(delivery, journal: journal).isDuplicate)
      #expect(proxy.requests.filter { $0.method == "PUT" }.count == 1)
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  @Test func `a body that is damaged on the way is removed and sent again`() async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("PUT", .corruptBody)
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      #expect(try await target.failure(of: delivery).code == .corrupted)
      #expect(try server.objects() == [])
      delivery.attempts = 1
      _ = try await target.deliver(delivery, journal: journal)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  /// The damaged object could not be removed, and is replaced as it is from an attempt of ours.
  @Test func `a damaged object that could not be removed is replaced`() async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("PUT", .corruptBody)
      proxy.plan("DELETE", .resetBeforeResponse)
      let journal = RecordingJournal()
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      _ = try await target.failure(of: delivery, journal: journal)
      #expect(try server.object("page.jpg") != somePicture())
      delivery.attempts = 1
      let stranger = try await target.failure(of: delivery, journal: journal)
      #expect(stranger.code == .conflict, "without its own note it is somebody else's")
      delivery.resumeState = journal.last
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.verification == .readBack)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  /// The answer was lost, and so was the end of the bytes: a simple server keeps partial bytes.
  @Test func `a partial object is replaced if its name was free before`() async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("PUT", .resetBeforeResponse)
      let journal = RecordingJournal()
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      _ = try await target.failure(of: delivery, journal: journal)
      try server.place(Array(somePicture().dropLast(5)), as: "page.jpg")
      delivery.attempts = 1
      delivery.resumeState = journal.last
      _ = try await target.deliver(delivery, journal: journal)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  /// Neither the check before the damaged object nor the one after it succeeded.
  @Test func `an unseen damaged object is replaced if the server has created it`()
    async throws
  {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("GET", .respond(answer("500 Internal Server Error")))
      proxy.plan("PUT", .corruptBody)
      proxy.plan("GET", .respond(answer("404 Not Found")))
      let journal = RecordingJournal()
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      _ = try await target.failure(of: delivery, journal: journal)
      delivery.attempts = 1
      delivery.resumeState = journal.last
      _ = try await target.deliver(delivery, journal: journal)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  @Test(arguments: [[], ["PUT"], ["GET"], ["GET", "PUT"]])
  func `an object from before the first attempt is never replaced`(resets: [String]) async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      try server.place(somePicture(seed: 2), as: "page.jpg")
      let proxy = try FaultProxy(upstream: server.port)
      for method in resets { proxy.plan(method, .resetBeforeResponse) }
      let journal = RecordingJournal()
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let target = try target(proxy.url)
      for attempts in 0..<3 {
        delivery.attempts = attempts
        delivery.resumeState = journal.last
        let failure = try await target.failure(of: delivery, journal: journal)
        let isReset = attempts == 0 && resets.contains("GET")
        #expect(failure.code == (isReset ? .unreachable : .conflict))
      }
      #expect(try server.object("page.jpg") == somePicture(seed: 2))
    }
  }

  /// An answer to a `PUT` that is not read back, and the expected failure, if any.
  private struct Answer: Sendable, CustomTestStringConvertible {
    var status: String
    var fields: [String] = []
    var body = ""
    var code: DeliveryFailure.Code?
    var testDescription: String { status + " " + fields.joined() + body }
  }

  @Test(arguments: [
    Answer(status: "201 Created"), Answer(status: "204 No Content"),
    Answer(status: "200 OK", fields: ["ETag: \"x\""]),
    Answer(status: "200 OK", code: .blocked),
    Answer(status: "200 OK", fields: ["ETag: \"x\""], body: "<Error>no</Error>", code: .blocked),
    Answer(status: "200 OK", body: "<html>Please log in</html>", code: .blocked),
    Answer(status: "202 Accepted", code: .blocked), Answer(status: "302 Found", code: .blocked),
    Answer(status: "507 Full", code: .targetFull),
  ])
  private func `only a clear success is trusted`(reply: Answer) async throws {
    let proxy = try FaultProxy()
    proxy.plan("PUT", .respond(answer(reply.status, reply.fields, body: reply.body)))
    let target = try target(proxy.url, .statusOnly)
    let delivery = try await files.delivery()
    if let code = reply.code {
      #expect(try await target.failure(of: delivery).code == code)
    } else {
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.verification == .statusOnly)
      #expect(!receipt.isDuplicate)
    }
    #expect(proxy.requests.map(\.method) == ["GET", "PUT"])
  }

  /// The servers show nothing before the object is there, or nothing at all.
  @Test(arguments: ["403 Forbidden", "302 Found", "400 Bad Request", "500 Internal Server Error"])
  func `an item is sent although its name cannot be read`(status: String) async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("GET", .respond(answer(status)))
      let delivery = try await files.delivery(remoteName: "page.jpg")
      let receipt = try await target(proxy.url).deliver(delivery, journal: journal)
      #expect(receipt.verification == .readBack)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  /// A simple server keeps the partial bytes of an interrupted body.
  @Test func `an existing object is replaced with write-only credentials if possible`()
    async throws
  {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      try server.place(Array(somePicture().dropLast(5)), as: "page.jpg")
      let proxy = try FaultProxy(upstream: server.port)
      for _ in 0..<2 { proxy.plan("GET", .respond(answer("403 Forbidden"))) }
      let delivery = try await files.delivery(remoteName: "page.jpg", attempts: 1)
      let receipt = try await target(proxy.url, .statusOnly).deliver(delivery, journal: journal)
      #expect(!receipt.isDuplicate)
      #expect(try server.object("page.jpg") == somePicture())
    }
  }

  @Test func `a name that cannot be replaced is enough proof with write-only credentials`()
    async throws
  {
    for (verification, isEnough) in [(.statusOnly, true), (.readBack, false)]
      as [(Receipt.Verification, Bool)]
    {
      let proxy = try FaultProxy()
      for _ in 0..<2 { proxy.plan("PUT", .respond(answer("412 Precondition Failed"))) }
      for _ in 0..<2 { proxy.plan("GET", .respond(answer("403 Forbidden"))) }
      let target = try target(proxy.url, verification)
      let delivery = try await files.delivery()
      if isEnough {
        let receipt = try await target.deliver(delivery, journal: journal)
        #expect(receipt.isDuplicate)
        #expect(receipt.verification == .statusOnly)
        #expect(receipt.status == 412)
      } else {
        #expect(try await target.failure(of: delivery).code == .unauthorized)
      }
    }
  }

  @Test(arguments: [Receipt.Verification.statusOnly, .readBack])
  func `a failed condition for a free name is no proof`(
    verification: Receipt.Verification
  ) async throws {
    let proxy = try FaultProxy()
    proxy.plan("PUT", .respond(answer("412 Precondition Failed")))
    let failure = try await target(proxy.url, verification).failure(of: files.delivery())
    #expect(failure.code == .conflict)
    #expect(failure.scope == .item)
    #expect(proxy.requests.map(\.method) == ["GET", "PUT", "GET"])
  }

  @Test func `a missing file is the item's fault`() async throws {
    let proxy = try FaultProxy()
    var delivery = try await files.delivery()
    delivery.path += "-gone"
    let failure = try await target(proxy.url).failure(of: delivery)
    #expect(failure.code == .fileUnreadable)
    #expect(failure.scope == .item)
    #expect(proxy.requests.map(\.method) == ["GET"])
  }

  @Test func `the metadata is there before the item`() async throws {
    try await withReceivingServer(changes: Self.honoursCondition) { server in
      let proxy = try FaultProxy(upstream: server.port)
      let target = try target(proxy.url, storesMetadata: true)
      var delivery = try await files.delivery(remoteName: "page.jpg")
      delivery.metadata = ["press-number": "7"]
      proxy.plan("PUT", .pass)
      proxy.plan("PUT", .resetBeforeResponse)
      _ = try await target.failure(of: delivery)
      #expect(try server.objects() == ["page.jpg.json"])
      // The metadata may have grown since, and is replaced as long as the item is not there.
      delivery.attempts = 1
      delivery.metadata["wall-time"] = "2026-11-21"
      _ = try await target.deliver(delivery, journal: journal)
      #expect(try server.objects() == ["page.jpg", "page.jpg.json"])
      let text = String(decoding: try server.object("page.jpg.json"), as: UTF8.self)
      #expect(text.contains("\"metadata\":{\"press-number\":\"7\",\"wall-time\":\"2026-11-21\"}"))
    }
  }
}
