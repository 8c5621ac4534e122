import Foundation
import Testing
import Transfer

@testable import Upload

/// Items on three real tus servers, each with habits of its own.
@Suite(.timeLimit(.minutes(10))) struct TusTargetTests {
  /// Returns the number of bytes that were sent toward the server.
  private func bytes(_ requests: [FaultProxy.Request]) -> Int {
    requests.filter { $0.method == "PATCH" }.reduce(0) { $0 + $1.bodyByteCount }
  }

  @Test(arguments: ["seaweedfs", "tussi", "resumable-upload"], [1, 2_500_003])
  func `an item arrives whole`(name: String, byteCount: Int) async throws {
    let bench = try await TusTestBench.shared(name)
    let (delivery, content) = try await bench.item(byteCount: byteCount)
    let (proxy, url) = try bench.proxy()
    let journal = RecordingJournal()
    let target = try bench.target(at: url)
    let receipt = try await target.deliver(delivery, journal: journal)
    let patches = byteCount == 1 ? 1 : 3
    #expect(
      proxy.requests.map(\.method)
        == ["OPTIONS", "POST"] + [String](repeating: "PATCH", count: patches))
    #expect(journal.kept.map { $0?.isFinalSent } == (patches == 1 ? [true] : [false, true]))
    #expect(journal.bytesSent.last == Int64(byteCount))
    #expect(receipt.verification == (name == "resumable-upload" ? .checksum : .statusOnly))
    #expect(!receipt.isDuplicate)
    #expect(receipt.status == 204)
    #expect(try await bench.stored(delivery, receipt) == content)
    // The server's capabilities are asked for once.
    let (next, _) = try await bench.item(byteCount: 10)
    _ = try await target.deliver(next, journal: RecordingJournal())
    #expect(proxy.requests.filter { $0.method == "OPTIONS" }.count == 1)
  }

  @Test(arguments: ["seaweedfs", "tussi", "resumable-upload"])
  func `an interrupted upload continues at the server's offset`(name: String) async throws {
    let bench = try await TusTestBench.shared(name)
    let (delivery, content) = try await bench.item()
    let (proxy, url) = try bench.proxy()
    proxy.plan("PATCH", .pass)
    proxy.plan("PATCH", .cutMidBody(after: 400_000))
    let target = try bench.target(at: url)
    let (receipt, failures) = try await target.deliverPersistently(delivery)
    #expect(failures.map(\.scope) == [.target])
    #expect(try await bench.stored(delivery, receipt) == content)
    #expect(!receipt.isDuplicate)
    let asked = try #require(proxy.requests.firstIndex { $0.method == "HEAD" })
    let after = Array(proxy.requests[asked...])
    #expect(after.first?.method == "HEAD")
    // All servers keep the first million bytes; each decides about the interrupted request.
    #expect(bytes(after) <= 1_500_003)
    #expect(!after.contains { $0.method == "POST" })
    print("figure: tus resume: \(name) was sent \(bytes(after)) of 2500003 bytes after a cut")
  }

  @Test(arguments: ["seaweedfs", "tussi", "resumable-upload"])
  func `a lost answer to the last bytes ends in one object`(name: String) async throws {
    let bench = try await TusTestBench.shared(name)
    let (delivery, content) = try await bench.item(byteCount: 100_003)
    let (proxy, url) = try bench.proxy()
    proxy.plan("PATCH", .loseResponse)
    let journal = RecordingJournal()
    let (receipt, failures) = try await bench.target(at: url).deliverPersistently(
      delivery, journal: journal)
    #expect(failures.map(\.code) == [.unreachable])
    #expect(journal.kept.first??.isFinalSent == true)
    #expect(try await bench.stored(delivery, receipt) == content)
    // Two servers forget an upload that is complete. The upload is made again, in the same place.
    #expect(receipt.isDuplicate == (name == "resumable-upload"))
  }

  @Test func `damage is noticed if the server compares checksums`() async throws {
    let bench = try await TusTestBench.shared("resumable-upload")
    let (delivery, content) = try await bench.item()
    let (proxy, url) = try bench.proxy()
    proxy.plan("PATCH", .corruptBody)
    let receipt = try await bench.target(at: url).deliver(delivery, journal: RecordingJournal())
    #expect(receipt.verification == .checksum)
    #expect(proxy.requests.contains { $0.head.contains("Upload-Checksum: sha1 ") })
    #expect(
      proxy.requests.map(\.method) == [
        "OPTIONS", "POST", "PATCH", "HEAD", "PATCH", "PATCH", "PATCH",
      ])
    #expect(try await bench.stored(delivery, receipt) == content)
    for _ in 0..<3 { proxy.plan("PATCH", .corruptBody) }
    let (other, _) = try await bench.item()
    let failure = try await bench.target(at: url).failure(of: other)
    #expect(failure.code == .corrupted)
    #expect(failure.scope == .item)
  }

  @Test func `an item arrives although the server crashes in the middle`() async throws {
    let server = try await StorageServer.start("seaweedfs")
    let bench = TusTestBench(server: server)
    let (delivery, content) = try await bench.item()
    let (proxy, url) = try bench.proxy()
    proxy.plan("PATCH", .pass)
    proxy.plan("PATCH", .resetMidBody(after: 1000))
    let journal = RecordingJournal()
    let target = try bench.target(at: url)
    _ = try await target.failure(of: delivery, journal: journal)
    try await server.kill()
    var resumed = delivery
    resumed.attempts = 1
    resumed.resumeState = journal.last
    #expect(try await target.failure(of: resumed).code == .unreachable)
    let count = proxy.requests.count
    _ = try await StorageServer.start("seaweedfs", in: server.directory)
    let receipt = try await target.deliver(resumed, journal: journal)
    let after = Array(proxy.requests.dropFirst(count))
    #expect(after.map(\.method) == ["HEAD", "PATCH", "PATCH"])
    #expect(bytes(after) == 1_500_003)
    #expect(try await bench.stored(delivery, receipt) == content)
    print("figure: tus crash: \(bytes(after)) of 2500003 bytes sent after kill -9")
    try await server.remove()
  }

  @Test(arguments: ["seaweedfs", "tussi", "resumable-upload"])
  func `an upload that is gone is restarted`(name: String) async throws {
    let bench = try await TusTestBench.shared(name)
    var (delivery, content) = try await bench.item(byteCount: 1000)
    let base = try bench.server.url("tus")
    delivery.resumeState = ResumeState(
      kind: "tus",
      session: base + (base.hasSuffix("/") ? "" : "/")
        + ".uploads/8b4fb29e-2f2f-4f0b-9f5c-4a2f6b1f0000")
    let receipt = try await bench.target().deliver(delivery, journal: RecordingJournal())
    #expect(!receipt.isDuplicate)
    #expect(try await bench.stored(delivery, receipt) == content)
  }

  @Test func `an upload at another server is not asked for`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let other = try FaultProxy()
    var (delivery, _) = try await bench.item(byteCount: 1000)
    delivery.resumeState = ResumeState(kind: "tus", session: other.url + "files/1")
    _ = try await bench.target().deliver(delivery, journal: RecordingJournal())
    delivery.resumeState = ResumeState(kind: "s3Multipart", session: "abc")
    _ = try await bench.target().deliver(delivery, journal: RecordingJournal())
    #expect(other.requests.isEmpty)
  }

  @Test func `a too large item is the item's fault`() async throws {
    let proxy = try FaultProxy()
    proxy.plan(
      "OPTIONS",
      .respond(
        answer(
          "204 No Content",
          ["Tus-Version: 1.0.0", "Tus-Extension: creation", "Tus-Max-Size: 999"])))
    let bench = try await TusTestBench.shared("seaweedfs")
    let failure = try await bench.target(at: proxy.url).failure(
      of: bench.item(byteCount: 1000).delivery)
    #expect(failure.code == .rejected)
    #expect(failure.scope == .item)
    #expect(proxy.requests.count == 1)
  }

  @Test func `secrets go only to the server`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, _) = try await bench.item(byteCount: 1000)
    let proxy = try FaultProxy()
    let other = try FaultProxy()
    let secret = try bench.files.secret("open sesame")
    for (authorization, field) in [
      (
        TusConfiguration.Authorization.basic(TargetCredentials(user: "Aladdin", password: secret)),
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"
      ), (.bearer(secret), "Authorization: Bearer open sesame\r\n"),
    ] {
      for location in [other.url + "files/1", "//127.0.0.1:\(other.port)/files/1"] {
        if case .basic = authorization {
          proxy.plan(
            "OPTIONS", .respond(answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=x"])))
        }
        proxy.plan(
          "OPTIONS",
          .respond(answer("200 OK", ["Tus-Version: 1.0.0", "Tus-Extension: creation"])))
        proxy.plan(
          "POST",
          .respond(answer("201 Created", ["Tus-Resumable: 1.0.0", "Location: \(location)"])))
        let target = try TusTarget(
          TusConfiguration(url: proxy.url + "files", authorization: authorization))
        let failure = try await target.failure(of: delivery)
        #expect(failure.code == .blocked)
        #expect(failure.scope == .target)
        // The last request looks for the upload at our own host.
        #expect(proxy.requests.suffix(3).map(\.method) == ["OPTIONS", "POST", "HEAD"])
        #expect(proxy.requests.suffix(3).allSatisfy { $0.head.contains(field) })
        #expect(!"\(failure)".contains("sesame"))
      }
    }
    #expect(other.requests.isEmpty)
  }

  /// The proxy does not tell the server which host was asked.
  @Test func `an upload that is named by another host is found at ours`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, _) = try await bench.item(byteCount: 1000)
    let proxy = try FaultProxy()
    let other = try FaultProxy()
    let location = "http://127.0.0.1:\(other.port)/files/1"
    proxy.plan(
      "OPTIONS", .respond(answer("200 OK", ["Tus-Version: 1.0.0", "Tus-Extension: creation"])))
    proxy.plan(
      "POST", .respond(answer("201 Created", ["Tus-Resumable: 1.0.0", "Location: \(location)"])))
    proxy.plan(
      "HEAD",
      .respond(
        answer("200 OK", ["Upload-Offset: 0", "Upload-Length: 1000", "Tus-Resumable: 1.0.0"])))
    proxy.plan("PATCH", .respond(answer("204 No Content", ["Upload-Offset: 1000"])))
    let target = try TusTarget(TusConfiguration(url: proxy.url + "files"))
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(proxy.requests.map(\.method) == ["OPTIONS", "POST", "HEAD", "PATCH"])
    #expect(other.requests.isEmpty)
  }
}
