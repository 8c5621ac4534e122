import Foundation
import Testing
import TestSupport
import Transfer

@testable import Upload

@Suite(.timeLimit(.minutes(10))) struct WebDAVTargetTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  @Test(arguments: [0, 1, 100_003, 3_000_000])
  func `an item arrives whole under its name`(byteCount: Int) async throws {
    try await withReceivingServer { server in
      let bytes = somePicture(byteCount: byteCount)
      let delivery = try await files.delivery(bytes: bytes, remoteName: "rig 7/2026/ü.jpg")
      let target = try WebDAVTarget(
        WebDAVConfiguration(url: server.url + "in/box"), wallNanoseconds: { 42 })
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(try server.objects() == ["in/box/rig 7/2026/ü.jpg"])
      #expect(try server.object("in/box/rig 7/2026/ü.jpg") == bytes)
      let digest = try await run(
        "/usr/bin/sha256sum", [server.store + "/in/box/rig 7/2026/ü.jpg"]
      ).prefix(64)
      #expect(
        receipt
          == Receipt(
            url: server.url + "in/box/rig%207/2026/%C3%BC.jpg", remoteName: "rig 7/2026/ü.jpg",
            sha256: String(digest), verification: .readBack, status: 204,
            entityTag: receipt.entityTag, isDuplicate: false, wallNanoseconds: 42))
      #expect(receipt.entityTag != nil)
    }
  }

  @Test func `missing collections are made`() async throws {
    try await withReceivingServer(
      changes: ["create_full_put_path on": "create_full_put_path off"]
    ) { server in
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url + "base/box"))
      let first = try await files.delivery(id: "1", remoteName: "a/b/1.jpg")
      let second = try await files.delivery(id: "2", remoteName: "a/c/2.jpg")
      _ = try await target.deliver(first, journal: journal)
      _ = try await target.deliver(second, journal: journal)
      #expect(try server.objects() == ["base/box/a/b/1.jpg", "base/box/a/c/2.jpg"])
    }
  }

  @Test(arguments: [0, 1])
  func `an item that exists already is delivered`(attempts: Int) async throws {
    try await withReceivingServer { server in
      let bytes = somePicture()
      try server.place(bytes, as: "page.jpg")
      let delivery = try await files.delivery(
        bytes: bytes, remoteName: "page.jpg", attempts: attempts)
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url))
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.isDuplicate)
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  @Test(arguments: [0, 1])
  func `something else under the name is left alone`(attempts: Int) async throws {
    // The other object has the same size, is longer by one byte, or shorter.
    for other in [somePicture(seed: 2), somePicture() + [0], Array(somePicture().dropLast())] {
      try await withReceivingServer { server in
        try server.place(other, as: "page.jpg")
        let delivery = try await files.delivery(remoteName: "page.jpg", attempts: attempts)
        let target = try WebDAVTarget(WebDAVConfiguration(url: server.url))
        let failure = try await target.failure(of: delivery)
        #expect(failure.code == .conflict)
        #expect(failure.scope == .item)
        #expect(try server.object("page.jpg") == other)
      }
    }
  }

  @Test func `a captive portal is not taken for the server`() async throws {
    let proxy = try FaultProxy()
    let portal = answer("200 OK", body: "<html>Please log in</html>")
    proxy.plan("PUT", .respond(portal))
    let target = try WebDAVTarget(WebDAVConfiguration(url: proxy.url))
    let failure = try await target.failure(of: files.delivery())
    #expect(failure.code == .blocked)
    #expect(failure.scope == .target)
    #expect(proxy.requests.map(\.method) == ["PUT"])
  }

  @Test func `an item that is too large is rejected`() async throws {
    try await withReceivingServer(changes: ["client_max_body_size 200m": "client_max_body_size 1m"])
    {
      server in
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url))
      let large = try await files.delivery(
        id: "large", bytes: somePicture(byteCount: 2_000_000), remoteName: "large")
      let failure = try await target.failure(of: large)
      #expect(failure.code == .rejected)
      #expect(failure.status == 413)
      #expect(failure.scope == .item)
      _ = try await target.deliver(
        files.delivery(id: "small", remoteName: "small"), journal: journal)
      #expect(try server.objects() == ["small"])
    }
  }

  @Test func `a server without room is reported`() async throws {
    let proxy = try FaultProxy()
    for method in ["OPTIONS", "PUT"] {
      proxy.plan(method, .respond(answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=x"])))
    }
    let configuration = WebDAVConfiguration(
      url: proxy.url,
      credentials: TargetCredentials(user: "rig", password: try files.secret("secret\n")))
    let target = try WebDAVTarget(configuration)
    let failure = try await target.failure(of: files.delivery())
    #expect(failure.code == .unauthorized)
    #expect(!"\(failure) \(String(reflecting: failure))".contains("secret"))
    let puts = proxy.requests.filter { $0.method == "PUT" }
    #expect(puts.count == 1)
    #expect(puts.allSatisfy { $0.head.contains("Authorization: Basic cmlnOnNlY3JldA==") })
    #expect(puts.allSatisfy { $0.head.contains("Idempotency-Key: 0001-1-a\r\n") })
  }

  /// A server behind a proxy that ends TLS takes our URL for another server's.
  @Test(arguments: ["502 Bad Gateway", "400 Bad Request"])
  func `a server behind a proxy is given the path alone`(status: String) async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("MOVE", .respond(answer(status)))
      let target = try WebDAVTarget(WebDAVConfiguration(url: proxy.url + "box"))
      _ = try await target.deliver(files.delivery(remoteName: "page.jpg"), journal: journal)
      #expect(proxy.requests.map(\.method) == ["PUT", "GET", "MOVE", "MOVE"])
      #expect(proxy.requests[2].head.contains("Destination: \(proxy.url)box/page.jpg\r\n"))
      #expect(proxy.requests[3].head.contains("Destination: /box/page.jpg\r\n"))
      #expect(try server.objects() == ["box/page.jpg"])
    }
  }

  /// The server answered 409 and closed while a proxy was still sending it the body.
  @Test func `a missing collection that a proxy reports as 502 is made`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      proxy.plan("PUT", .respond(answer("502 Bad Gateway")))
      let target = try WebDAVTarget(WebDAVConfiguration(url: proxy.url))
      _ = try await target.deliver(files.delivery(remoteName: "day/page.jpg"), journal: journal)
      #expect(proxy.requests.map(\.method) == ["PUT", "MKCOL", "MKCOL", "PUT", "GET", "MOVE"])
      #expect(try server.objects() == ["day/page.jpg"])
    }
  }

  @Test func `a stored picture that lacks only its name is not sent again`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      for _ in 1...2 { proxy.plan("MOVE", .respond(answer("502 Bad Gateway"))) }
      let target = try WebDAVTarget(WebDAVConfiguration(url: proxy.url))
      let journal = RecordingJournal()
      var delivery = try await files.delivery(remoteName: "page.jpg")
      let failure = try await #require(throws: DeliveryFailure.self) {
        try await target.deliver(delivery, journal: journal)
      }
      #expect(
        failure.code == .serverError && failure.text.contains("rewrite the field Destination"))
      delivery.attempts = 1
      delivery.resumeState = journal.last
      let sent = proxy.requests.count
      _ = try await target.deliver(delivery, journal: journal)
      #expect(proxy.requests.dropFirst(sent).map(\.method) == ["GET", "MOVE"])
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  /// The server may have been cleared since the attempt whose state was kept.
  @Test func `a hidden picture that is gone is sent again`() async throws {
    try await withReceivingServer { server in
      var delivery = try await files.delivery(remoteName: "page.jpg", attempts: 1)
      delivery.resumeState = ResumeState(
        kind: MoveDelivery.resumeKind(.readBack), session: server.url + ".page.jpg.upload")
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url))
      _ = try await target.deliver(delivery, journal: journal)
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  @Test func `the server's status is trusted without a read-back`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      let target = try WebDAVTarget(
        WebDAVConfiguration(url: proxy.url, verification: .statusOnly))
      let receipt = try await target.deliver(files.delivery(), journal: journal)
      #expect(receipt.verification == .statusOnly)
      #expect(proxy.requests.map(\.method) == ["PUT", "MOVE"])
    }
  }

  @Test func `a file that is damaged while it is sent gets no name`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      let target = try WebDAVTarget(
        WebDAVConfiguration(url: proxy.url, verification: .statusOnly))
      let delivery = try await files.delivery(remoteName: "page.jpg")
      proxy.plan(
        "PUT",
        .passAfter {
          try? Data(somePicture(seed: 2)).write(to: URL(fileURLWithPath: delivery.path))
        })
      let failure = try await target.failure(of: delivery)
      #expect(failure.code == .fileUnreadable && failure.scope == .item)
      #expect(proxy.requests.map(\.method) == ["PUT"])
      #expect(try server.objects() == [".page.jpg.upload"])
    }
  }

  /// The item arrives after a fault on the way, with credentials that may not read.
  @Test(arguments: [("PUT", false), ("MOVE", false), ("MOVE", true)] as [(String, Bool)])
  func `an item arrives after a fault with write-only credentials`(
    method: String, isAnswerLost: Bool
  )
    async throws
  {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      for _ in 0..<2 { proxy.plan("GET", .respond(answer("403 Forbidden"))) }
      proxy.plan(method, isAnswerLost ? .loseResponse : .resetBeforeResponse)
      let target = try WebDAVTarget(
        WebDAVConfiguration(url: proxy.url, verification: .statusOnly))
      let delivery = try await files.delivery(remoteName: "page.jpg")
      let (receipt, failures) = try await target.deliverPersistently(delivery)
      #expect(failures.map(\.code) == [.unreachable])
      #expect(receipt.isDuplicate == isAnswerLost)
      #expect(receipt.status == (isAnswerLost ? 412 : 204))
      #expect(receipt.verification == .statusOnly)
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  @Test(arguments: ["", "/x", "a/../b", "a\\b", "a\0b"])
  func `an item that cannot be named is refused`(name: String) async throws {
    let proxy = try FaultProxy()
    let target = try WebDAVTarget(WebDAVConfiguration(url: proxy.url))
    let failure = try await target.failure(of: files.delivery(remoteName: name))
    #expect(failure.code == .badName)
    #expect(failure.scope == .item)
    #expect(proxy.requests.isEmpty)
  }

  @Test func `a missing file is the item's fault`() async throws {
    let proxy = try FaultProxy()
    var delivery = try await files.delivery()
    delivery.path += "-gone"
    let failure = try await WebDAVTarget(WebDAVConfiguration(url: proxy.url)).failure(of: delivery)
    #expect(failure.code == .fileUnreadable)
    #expect(failure.scope == .item)
  }

  @Test func `a URL that cannot be used is refused without its secrets`() throws {
    let failure = try #require(throws: DeliveryFailure.self) {
      try WebDAVTarget(WebDAVConfiguration(url: "http://rig:secret@host/"))
    }
    #expect(failure.code == .blocked)
    #expect(failure.text.contains("\"http://host/\""))
    #expect(!failure.text.contains("secret"))
  }
}
