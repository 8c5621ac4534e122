import Foundation
import Testing
import Transfer

@testable import Upload

/// rclone's S3 server, which knows neither conditions nor SHA-256, and the remaining promises.
@Suite(.timeLimit(.minutes(10))) struct S3RcloneTests {
  @Test(arguments: [S3Configuration.Checksums.sha256, .md5, .sha256AndMD5])
  func `an item arrives whole`(checksums: S3Configuration.Checksums) async throws {
    let bench = try await S3TestBench.rclone()
    for byteCount in [0, 100_003, 9_000_001] {
      let (delivery, bytes) = try await bench.item(byteCount: byteCount)
      let target = try S3Target(bench.configuration(checksums: checksums))
      let receipt = try await target.deliver(delivery, journal: RecordingJournal())
      let isInParts = byteCount > 8 << 20
      #expect(
        receipt.verification == (checksums == .sha256 && !isInParts ? .statusOnly : .checksum))
      #expect(try await bench.reader.object(delivery.remoteName) == bytes)
      // rclone knows no condition, and puts the same bytes in the place of the same bytes.
      let again = try await target.deliver(delivery, journal: RecordingJournal())
      #expect(!again.isDuplicate)
      #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    }
  }

  @Test func `damage is noticed with a checksum that rclone knows`() async throws {
    let bench = try await S3TestBench.rclone()
    let (delivery, bytes) = try await bench.item()
    let proxy = try bench.proxy()
    proxy.plan("PUT", .corruptBody)
    let target = try S3Target(bench.configuration(at: proxy.url, checksums: .md5))
    let (_, failures) = try await target.deliverPersistently(delivery)
    #expect(failures.map(\.code) == [.corrupted])
    #expect(failures.map(\.scope) == [.item])
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test(arguments: [-86_400, 3600])
  func `a wrong clock is corrected`(seconds: Int64) async throws {
    let bench = try await S3TestBench.rclone()
    let (delivery, bytes) = try await bench.item()
    let target = try S3Target(
      bench.configuration(),
      wallNanoseconds: { UploadTime.system.wallNanoseconds() + seconds * 1_000_000_000 })
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `only missing parts are sent after an interruption`() async throws {
    let bench = try await S3TestBench.rclone()
    let byteCount = 3 * (5 << 20) + 7
    let (delivery, bytes) = try await bench.item(byteCount: byteCount)
    let proxy = try bench.proxy()
    for _ in 0..<2 { proxy.plan("PUT", .pass) }
    proxy.plan("PUT", .resetMidBody(after: 500_000))
    let target = try S3Target(bench.configuration(at: proxy.url))
    let (receipt, failures) = try await target.deliverPersistently(delivery)
    #expect(failures.count == 1)
    #expect(receipt.verification == .checksum)
    #expect(
      proxy.requests.map(\.method) == [
        "POST", "PUT", "PUT", "PUT", "GET", "PUT", "PUT", "POST",
      ])
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `a missing bucket blocks the target`() async throws {
    let bench = try await S3TestBench.rclone()
    let (delivery, _) = try await bench.item()
    var configuration = try bench.configuration()
    configuration.bucket = "absent"
    let failure = try await S3Target(configuration).failure(of: delivery)
    #expect(failure.code == .blocked)
    #expect(failure.scope == .target)
    #expect(failure.text.contains("404 NoSuchBucket"))
  }
}
