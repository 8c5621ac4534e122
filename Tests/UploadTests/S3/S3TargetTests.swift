import Foundation
import Testing
import TestSupport
import Transfer

@testable import Upload

/// Items of one request on a real SeaweedFS, with a key that may only write.
@Suite(.timeLimit(.minutes(10))) struct S3TargetTests {
  @Test(arguments: [0, 1, 100_003, 3_000_000])
  func `an item arrives whole under its key`(byteCount: Int) async throws {
    let bench = try await S3TestBench.seaweed()
    var (delivery, bytes) = try await bench.item(byteCount: byteCount)
    delivery.remoteName = "rig 7/\(delivery.id)/ü=+&.jpg"
    delivery.metadata = ["boot": "3", "taken-at": "2026-11-21T17:00:00Z ~", "bad name": "x"]
    let target = try S3Target(
      bench.configuration(prefix: "in/box"), wallNanoseconds: UploadTime.system.wallNanoseconds)
    let journal = RecordingJournal()
    let receipt = try await target.deliver(delivery, journal: journal)
    let encoded = "in/box/rig%207/\(delivery.id)/%C3%BC%3D%2B%26.jpg"
    #expect(receipt.url == (try bench.server.url("s3")) + "pages/" + encoded)
    #expect(receipt.status == 200)
    #expect(receipt.verification == .checksum)
    #expect(!receipt.isDuplicate)
    #expect(receipt.entityTag != nil)
    #expect(journal.kept.isEmpty)
    #expect(journal.bytesSent == [Int64(byteCount)])
    // curl 7.88 signs none of these characters right; the filer needs no signature.
    let filer = try bench.server.url("filer") + "buckets/pages/" + encoded
    let file = bench.files.path + "/read"
    try await run("/usr/bin/curl", ["--silent", "--fail", "--output", file, filer])
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) == bytes)
  }

  @Test func `an item's metadata is stored with the object`() async throws {
    let bench = try await S3TestBench.seaweed()
    var (delivery, _) = try await bench.item()
    delivery.metadata = ["boot": "3", "taken-at": "2026-11-21", "bad name": "x", "odd": "a\nb"]
    _ = try await S3Target(bench.configuration()).deliver(delivery, journal: RecordingJournal())
    let head = try await bench.reader.head(delivery.remoteName)
    #expect(head.contains("content-type: image/jpeg\r\n"))
    #expect(head.contains("x-amz-meta-boot: 3\r\n"))
    #expect(head.contains("x-amz-meta-taken-at: 2026-11-21\r\n"))
    #expect(head.contains("x-amz-meta-sha256: \(delivery.sha256)\r\n"))
    #expect(head.contains("x-amz-meta-item: \(delivery.id.lowercased())\r\n"))
    #expect(!head.contains("bad name") && !head.contains("odd"))
  }

  @Test func `a key that may only write is enough also for a duplicate`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item()
    let proxy = try bench.proxy()
    let target = try S3Target(bench.configuration(at: proxy.url))
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    let again = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(again.isDuplicate)
    #expect(again.status == 412)
    #expect(again.verification == .statusOnly)
    #expect(proxy.requests.map(\.method) == ["PUT", "PUT", "HEAD"])
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    // The server itself says that the key may not read.
    let rig = ObjectReader(
      bucket: try bench.reader.bucket, accessKeyID: "rig-key", secretAccessKey: "rig-secret")
    #expect(try await rig.object(delivery.remoteName) == nil)
  }

  @Test func `a key that may read compares a duplicate`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, _) = try await bench.item()
    let target = try S3Target(bench.configuration(user: "admin"))
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    let again = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(again.isDuplicate)
    #expect(again.verification == .checksum)
  }

  @Test func `something else under the key is left alone`() async throws {
    let bench = try await S3TestBench.seaweed()
    // The other object has the same size, is longer by one byte, or shorter.
    for other in [somePicture(seed: 2), somePicture() + [0], Array(somePicture().dropLast())] {
      let (delivery, _) = try await bench.item()
      let foreign = try await bench.files.delivery(
        id: "foreign", bytes: other, remoteName: delivery.remoteName)
      let target = try S3Target(bench.configuration(user: "admin"))
      _ = try await target.deliver(foreign, journal: RecordingJournal())
      let failure = try await target.failure(of: delivery)
      #expect(failure.code == .conflict)
      #expect(failure.scope == .item)
      #expect(try await bench.reader.object(delivery.remoteName) == other)
    }
  }

  @Test(arguments: [-86_400, 3600, -1_700_000_000])
  func `a wrong clock is corrected once`(seconds: Int64) async throws {
    let bench = try await S3TestBench.seaweed()
    let proxy = try bench.proxy()
    let target = try S3Target(
      bench.configuration(at: proxy.url),
      wallNanoseconds: { UploadTime.system.wallNanoseconds() + seconds * 1_000_000_000 })
    for count in [2, 3] {
      let (delivery, bytes) = try await bench.item()
      _ = try await target.deliver(delivery, journal: RecordingJournal())
      #expect(try await bench.reader.object(delivery.remoteName) == bytes)
      #expect(proxy.requests.count == count)
    }
  }

  @Test func `a wrong key pauses the target until its file changes`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, _) = try await bench.item()
    var configuration = try bench.configuration()
    configuration.credentials.secretAccessKey = try bench.files.secret("wrong", name: "key")
    let target = try S3Target(configuration)
    let failure = try await target.failure(of: delivery)
    #expect(failure.code == .unauthorized)
    #expect(failure.scope == .target)
    #expect(failure.text.contains("403 SignatureDoesNotMatch"))
    #expect(!"\(failure) \(String(reflecting: failure))".contains("rig-secret"))
    _ = try bench.files.secret("rig-secret", name: "key")
    #expect(try await target.deliver(delivery, journal: RecordingJournal()).status == 200)
    configuration.credentials.accessKeyID = "nobody"
    #expect(try await S3Target(configuration).failure(of: delivery).code == .unauthorized)
    configuration.credentials.secretAccessKey = SecretFile(path: "/nonexistent/key")
    let missing = try await S3Target(configuration).failure(of: delivery)
    #expect(missing.code == .unauthorized)
    #expect(missing.text.contains("\"/nonexistent/key\""))
  }

  @Test func `a temporary key signs its token`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("PUT", .respond(answer("200 OK", ["ETag: \"x\""])))
    let bench = try await S3TestBench.seaweed()
    var configuration = try bench.configuration(at: proxy.url)
    configuration.credentials.sessionToken = try bench.files.secret("the/token==", name: "token")
    let receipt = try await S3Target(configuration).deliver(
      bench.item().delivery, journal: RecordingJournal())
    // The server sends no checksum, so only its status counts.
    #expect(receipt.verification == .statusOnly)
    let head = try #require(proxy.requests.first?.head)
    #expect(head.contains("x-amz-security-token: the/token==\r\n"))
    #expect(head.contains(";x-amz-security-token, Signature="))
    #expect(head.contains("If-None-Match: *\r\n"))
    #expect(head.contains("SignedHeaders=content-type;host;if-none-match;x-amz-checksum-sha256;"))
    #expect(!head.contains("rig-secret"))
  }

  @Test func `a bucket can be part of the host`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item()
    var configuration = try bench.configuration(
      at: "http://localhost:\(bench.server.port("s3"))", prefix: "host")
    configuration.addressing = .virtualHost
    let target = try S3Target(configuration)
    #expect(target.description == "http://pages.localhost:\(try bench.server.port("s3"))/host/")
    let receipt = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(receipt.verification == .checksum)
    #expect(try await bench.reader.object("host/" + delivery.remoteName) == bytes)
  }

  @Test func `a changed file is not delivered as the item`() async throws {
    let bench = try await S3TestBench.seaweed()
    for byteCount in [100_003, 9_000_000] {
      let (delivery, bytes) = try await bench.item(byteCount: byteCount)
      var damaged = bytes
      damaged[byteCount / 2] ^= 1
      try Data(damaged).write(to: URL(fileURLWithPath: delivery.path))
      let failure = try await S3Target(bench.configuration()).failure(of: delivery)
      #expect(failure.code == .fileUnreadable)
      #expect(failure.scope == .item)
      try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: delivery.path))
      #expect(try await S3Target(bench.configuration()).failure(of: delivery).scope == .item)
      #expect(try await bench.reader.object(delivery.remoteName) == nil)
    }
  }

  @Test(arguments: ["", "/x", "a/../b", "a\\b", "a\0b", String(repeating: "x/", count: 600) + "y"])
  func `an item that cannot be named is refused`(name: String) async throws {
    let proxy = try FaultProxy()
    let bench = try await S3TestBench.seaweed()
    var (delivery, _) = try await bench.item()
    delivery.remoteName = name
    let failure = try await S3Target(bench.configuration(at: proxy.url)).failure(of: delivery)
    #expect(failure.code == .badName)
    #expect(failure.scope == .item)
    #expect(proxy.requests.isEmpty)
  }

  @Test func `several deliveries run at once`() async throws {
    let bench = try await S3TestBench.seaweed()
    let target = try S3Target(bench.configuration())
    var items: [(delivery: PendingDelivery, bytes: [UInt8])] = []
    for seed in 1...6 { items.append(try await bench.item(seed: UInt64(seed))) }
    try await withThrowingTaskGroup(of: Receipt.self) { group in
      for item in items {
        group.addTask { try await target.deliver(item.delivery, journal: RecordingJournal()) }
      }
      for try await receipt in group { #expect(!receipt.isDuplicate) }
    }
    for item in items {
      #expect(try await bench.reader.object(item.delivery.remoteName) == item.bytes)
    }
  }
}
