import Foundation
import TestSupport
import Testing

@testable import Upload

/// The target against WsgiDAV, which takes Digest authentication (RFC 7616) and nothing else.
@Suite(.timeLimit(.minutes(10))) struct DigestTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  @Test func `items arrive whole and a wrong password is reported`() async throws {
    let server = try await StorageServer.start("wsgidav")
    let url = try server.url("") + "box"
    let rightPassword = try files.secret("secret", name: "right")
    let target = try WebDAVTarget(
      WebDAVConfiguration(
        url: url, credentials: TargetCredentials(user: "rig-1", password: rightPassword),
        storesMetadata: true))
    for (id, byteCount) in [("1", 100_003), ("2", 3_000_000)] {
      let bytes = somePicture(byteCount: byteCount, seed: UInt64(byteCount))
      let delivery = try await files.delivery(
        id: id, bytes: bytes, remoteName: "2026/11/page \(id).jpg")
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.verification == .readBack)
      let stored = try Data(
        contentsOf: URL(
          fileURLWithPath: server.directory + "/store/box/2026/11/page \(id).jpg"))
      #expect([UInt8](stored) == bytes)
    }
    let wrong = try WebDAVTarget(
      WebDAVConfiguration(
        url: url,
        credentials: TargetCredentials(
          user: "rig-1", password: try files.secret("wrong", name: "wrong"))))
    let delivery = try await files.delivery(id: "3", remoteName: "page.jpg")
    let failure = try await #require(throws: DeliveryFailure.self) {
      try await wrong.deliver(delivery, journal: journal)
    }
    #expect(failure.code == .unauthorized)
    try await server.remove()
  }
}
