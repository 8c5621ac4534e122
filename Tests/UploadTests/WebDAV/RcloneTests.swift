import Foundation
import Testing
import TestSupport

@testable import Upload

/// The target against `rclone serve webdav`, whose WebDAV is Go's and not nginx's.
@Suite(.timeLimit(.minutes(10))) struct RcloneTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  @Test func `items arrive whole in new collections`() async throws {
    try await withRcloneServer { server in
      let target = try WebDAVTarget(
        WebDAVConfiguration(url: server.url + "box", storesMetadata: true))
      for (id, byteCount) in [("1", 0), ("2", 100_003), ("3", 3_000_000)] {
        let bytes = somePicture(byteCount: byteCount, seed: UInt64(byteCount))
        let delivery = try await files.delivery(
          id: id, bytes: bytes, remoteName: "2026/11/page \(id).jpg")
        let receipt = try await target.deliver(delivery, journal: journal)
        #expect(receipt.verification == .readBack)
        #expect(receipt.isDuplicate == false)
        #expect(try server.object("box/2026/11/page \(id).jpg") == bytes)
      }
      #expect(try server.objects().count == 6, "each item and what is known of it, nothing hidden")
    }
  }

  @Test func `an existing item is delivered and another object is not replaced`() async throws {
    try await withRcloneServer { server in
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url))
      let first = try await files.delivery(id: "1", remoteName: "page.jpg")
      #expect(try await target.deliver(first, journal: journal).isDuplicate == false)
      // The server has the item, and the answer was lost. It is found once before the upload, and
      // once at the move.
      for attempts in [1, 0] {
        var again = first
        again.attempts = attempts
        let receipt = try await target.deliver(again, journal: journal)
        #expect(receipt.isDuplicate)
        #expect(receipt.verification == .readBack)
      }
      let other = try await files.delivery(
        id: "2", bytes: somePicture(seed: 2), remoteName: "page.jpg")
      let failure = try await #require(throws: DeliveryFailure.self) {
        try await target.deliver(other, journal: journal)
      }
      #expect(failure.code == .conflict)
      #expect(try server.object("page.jpg") == somePicture())
      #expect(try server.objects() == ["page.jpg"])
    }
  }

  @Test func `a plain put is read back`() async throws {
    try await withRcloneServer { server in
      let target = try WebDAVTarget(WebDAVConfiguration(url: server.url, commit: .put))
      let delivery = try await files.delivery(remoteName: "page.jpg")
      for attempts in [0, 1] {
        var attempt = delivery
        attempt.attempts = attempts
        let receipt = try await target.deliver(attempt, journal: journal)
        #expect(receipt.verification == .readBack)
        #expect(receipt.isDuplicate == (attempts > 0))
        #expect(receipt.entityTag != nil)
      }
      #expect(try server.object("page.jpg") == somePicture())
    }
  }
}
