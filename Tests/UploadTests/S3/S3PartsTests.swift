import Foundation
import Testing
import Transfer

@testable import Upload

/// Items in parts on a real SeaweedFS, with the cost and the remains of an interruption.
@Suite(.timeLimit(.minutes(10))) struct S3PartsTests {
  private static let part = 5 << 20
  private static let byteCount = 2 * part + 1_000_003

  /// Returns the number of bytes of parts that were sent toward the server.
  private func partBytes(_ requests: [FaultProxy.Request]) -> Int {
    requests.filter { $0.method == "PUT" }.reduce(0) { $0 + $1.bodyByteCount }
  }

  /// Returns the number of unfinished uploads at the server, by the name of their item.
  private func unfinished(_ bench: S3TestBench, _ name: String) async throws -> Int {
    let list = try await bench.reader.curl("?uploads=", [])
    return list.components(separatedBy: "<Key>\(name)</Key>").count - 1
  }

  @Test(arguments: ["rig", "reader"])
  func `an item in parts arrives whole`(user: String) async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    let journal = RecordingJournal()
    let target = try S3Target(bench.configuration(at: proxy.url, user: user))
    let receipt = try await target.deliver(delivery, journal: journal)
    #expect(receipt.verification == .checksum)
    #expect(receipt.entityTag?.contains("-3") == true)
    #expect(!receipt.isDuplicate)
    #expect(proxy.requests.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST"])
    #expect(journal.kept.map { $0?.kind } == ["s3Creation", "s3Multipart", "s3Multipart"])
    #expect(journal.kept.map { $0?.isFinalSent } == [false, false, true])
    #expect(journal.bytesSent == [5_242_880, 10_485_760, Int64(Self.byteCount)])
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    let head = try await bench.reader.head(delivery.remoteName)
    #expect(head.contains("x-amz-meta-sha256: \(delivery.sha256)\r\n"))
    #expect(head.contains("content-type: image/jpeg\r\n"))
    let again = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(again.isDuplicate)
    // The second upload's parts do not stay.
    #expect(try await unfinished(bench, delivery.remoteName) == 0)
  }

  @Test func `only the interrupted part is sent again`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    // The proxy plans by method: the first part passes, the second is cut after a megabyte.
    proxy.plan("PUT", .pass)
    proxy.plan("PUT", .cutMidBody(after: 1_000_000))
    let journal = RecordingJournal()
    let target = try S3Target(bench.configuration(at: proxy.url, user: "reader"))
    var resumed = delivery
    let failure = try await target.failure(of: delivery, journal: journal)
    #expect(failure.scope == .target)
    let before = proxy.requests
    resumed.resumeState = journal.last
    resumed.attempts = 1
    let receipt = try await target.deliver(resumed, journal: journal)
    let after = Array(proxy.requests.dropFirst(before.count))
    #expect(after.map(\.method) == ["GET", "PUT", "PUT", "POST"])
    #expect(partBytes(after) == Self.byteCount - Self.part)
    #expect(journal.bytesSent.contains(Int64(Self.part)))
    #expect(receipt.verification == .checksum && !receipt.isDuplicate)
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    #expect(try await unfinished(bench, delivery.remoteName) == 0)
    print(
      "figure: S3 resume: \(partBytes(after)) of \(Self.byteCount) bytes sent after a cut in part 2"
    )
  }

  @Test func `a key that may not list sends the parts again into the same upload`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    proxy.plan("PUT", .pass)
    proxy.plan("PUT", .resetMidBody(after: 1000))
    let journal = RecordingJournal()
    let target = try S3Target(bench.configuration(at: proxy.url))
    let (receipt, failures) = try await target.deliverPersistently(delivery, journal: journal)
    #expect(failures.count == 1)
    #expect(!receipt.isDuplicate)
    #expect(Set(journal.kept.dropFirst().map { $0?.session }).count == 1)
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    #expect(try await unfinished(bench, delivery.remoteName) == 0)
  }

  @Test(arguments: ["rig", "reader", "admin"])
  func `a lost answer to the completion ends in one object`(user: String) async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    proxy.plan("POST", .pass)
    proxy.plan("POST", .loseResponse)
    let target = try S3Target(bench.configuration(at: proxy.url, user: user))
    let (receipt, failures) = try await target.deliverPersistently(delivery)
    #expect(failures.map(\.code) == [.unreachable])
    #expect(receipt.isDuplicate)
    // A user that may read finds the object. Another user sends it again, and is refused.
    #expect(receipt.status == (user == "rig" ? 412 : 200))
    #expect(receipt.verification == (user == "rig" ? .statusOnly : .checksum))
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    #expect(try await unfinished(bench, delivery.remoteName) == 0)
    if user != "rig" { #expect(partBytes(proxy.requests) == Self.byteCount) }
  }

  @Test func `an upload that cannot be kept is aborted at once`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, _) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    let failure = try await S3Target(bench.configuration(at: proxy.url)).failure(
      of: delivery, journal: RecordingJournal(failsAfter: 1))
    #expect(failure.code == .queueFailed)
    #expect(proxy.requests.map(\.method) == ["POST", "DELETE"])
    #expect(try await unfinished(bench, delivery.remoteName) == 0)
  }

  @Test(arguments: [true, false])
  func `an upload whose ID was lost is aborted if uploads are listed`(isListed: Bool) async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    // The first attempt learns no ID, and the next loses the answer once more.
    for _ in 0..<2 {
      proxy.plan("POST", .loseResponse)
      if !isListed { proxy.plan("GET", .respond(answer("403 Forbidden"))) }
    }
    let journal = RecordingJournal()
    let target = try S3Target(bench.configuration(at: proxy.url, user: "admin"))
    let (receipt, failures) = try await target.deliverPersistently(delivery, journal: journal)
    #expect(failures.map(\.code) == [.unreachable, .unreachable])
    #expect(!receipt.isDuplicate)
    let lost = isListed ? ["POST", "GET", "DELETE"] : ["POST", "GET"]
    #expect(
      proxy.requests.map(\.method) == lost + lost + ["POST", "PUT", "PUT", "PUT", "POST"])
    #expect(journal.remarks.count == (isListed ? 0 : 1), "\(journal.remarks)")
    #expect(try await unfinished(bench, delivery.remoteName) == (isListed ? 0 : 2))
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `an upload that is gone is restarted`() async throws {
    let bench = try await S3TestBench.seaweed()
    var (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    delivery.resumeState = ResumeState(
      kind: "s3Multipart", session: "0123_4567", partByteCount: 5 << 20)
    let journal = RecordingJournal()
    let receipt = try await S3Target(bench.configuration(user: "reader")).deliver(
      delivery, journal: journal)
    #expect(!receipt.isDuplicate)
    #expect(journal.last?.session != "0123_4567")
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `an item arrives although the server crashes in the middle`() async throws {
    let server = try await StorageServer.start("seaweedfs")
    let bench = S3TestBench(server: server)
    let (delivery, bytes) = try await bench.item(byteCount: Self.byteCount)
    let proxy = try bench.proxy()
    proxy.plan("PUT", .pass)
    proxy.plan("PUT", .resetMidBody(after: 1_000_000))
    let journal = RecordingJournal()
    let target = try S3Target(bench.configuration(at: proxy.url, user: "reader"))
    _ = try await target.failure(of: delivery, journal: journal)
    try await server.kill()
    var resumed = delivery
    resumed.attempts = 1
    resumed.resumeState = journal.last
    let dead = try await target.failure(of: resumed, journal: journal)
    #expect(dead.code == .unreachable)
    #expect(dead.scope == .target)
    let count = proxy.requests.count
    _ = try await StorageServer.start("seaweedfs", in: server.directory)
    let receipt = try await target.deliver(resumed, journal: journal)
    let after = Array(proxy.requests.dropFirst(count))
    #expect(receipt.verification == .checksum)
    #expect(partBytes(after) == Self.byteCount - Self.part)
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
    print("figure: S3 crash: \(partBytes(after)) of \(Self.byteCount) bytes sent after kill -9")
    try await server.remove()
  }
}
