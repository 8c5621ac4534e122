import Foundation
import Testing
import TestSupport

@testable import Upload

/// The metadata of an item beside the item, on a real nginx.
@Suite(.timeLimit(.minutes(10))) struct StoredMetadataTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  private func delivery(
    bytes: [UInt8] = somePicture(), attempts: Int = 0, metadata: [String: String] = ["rig": "r1"]
  ) async throws -> PendingDelivery {
    var delivery = try await files.delivery(
      bytes: bytes, remoteName: "a/page.jpg", attempts: attempts)
    delivery.metadata = metadata
    return delivery
  }

  private func target(_ url: String) throws -> WebDAVTarget {
    try WebDAVTarget(WebDAVConfiguration(url: url, storesMetadata: true))
  }

  @Test func `the metadata is moved to its name before the item`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      let delivery = try await delivery(metadata: ["rig": "r1", "quote": "a \"b\" \\c"])
      _ = try await target(proxy.url).deliver(delivery, journal: journal)
      #expect(
        proxy.requests.map { "\($0.method) \($0.target)" } == [
          "PUT /a/.page.jpg.json.upload", "MOVE /a/.page.jpg.json.upload",
          "PUT /a/.page.jpg.upload",
          "GET /a/.page.jpg.upload", "MOVE /a/.page.jpg.upload",
        ])
      #expect(try server.objects() == ["a/page.jpg", "a/page.jpg.json"])
      let code = """
        import json, sys
        d = json.load(open(sys.argv[1]))
        assert d == {"id": sys.argv[2], "sha256": sys.argv[3], "byteCount": 100003,
          "contentType": "image/jpeg", "metadata": {"rig": "r1", "quote": 'a "b" \\\\c'}}, d
        """
      try await run(
        "/usr/bin/python3",
        ["-c", code, server.store + "/a/page.jpg.json", delivery.id, delivery.sha256])
    }
  }

  @Test func `the metadata is replaced as long as the item is not there`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      let target = try target(proxy.url)
      proxy.plan("GET", .resetBeforeResponse)
      _ = try await target.failure(of: delivery())
      #expect(try server.objects().contains("a/page.jpg.json"))
      let again = try await delivery(attempts: 1, metadata: ["rig": "r2"])
      #expect(try await target.deliver(again, journal: journal).isDuplicate == false)
      #expect(try server.objects() == ["a/page.jpg", "a/page.jpg.json"])
      let text = String(decoding: try server.object("a/page.jpg.json"), as: UTF8.self)
      #expect(text.contains("\"rig\":\"r2\""))
    }
  }

  @Test func `the metadata of another item is not changed`() async throws {
    try await withReceivingServer { server in
      let target = try target(server.url)
      _ = try await target.deliver(delivery(), journal: journal)
      let before = try server.object("a/page.jpg.json")
      let other = try await delivery(bytes: somePicture(seed: 2), metadata: ["rig": "r2"])
      let failure = try await #require(throws: DeliveryFailure.self) {
        try await target.deliver(other, journal: journal)
      }
      #expect(failure.code == .conflict)
      #expect(try server.object("a/page.jpg.json") == before)
      #expect(try server.object("a/page.jpg") == somePicture())
      #expect(try server.objects() == ["a/page.jpg", "a/page.jpg.json"])
    }
  }

  @Test func `the same item again is a duplicate`() async throws {
    try await withReceivingServer { server in
      let target = try target(server.url)
      for expected in [false, true] {
        let receipt = try await target.deliver(delivery(), journal: journal)
        #expect(receipt.isDuplicate == expected)
      }
      #expect(try server.objects() == ["a/page.jpg", "a/page.jpg.json"])
    }
  }
}
