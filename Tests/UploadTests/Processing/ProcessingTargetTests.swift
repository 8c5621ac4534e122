import Foundation
import TestSupport
import Testing
import Transfer

@testable import Upload

/// The target against an endpoint made of Python's standard library.
@Suite(.timeLimit(.minutes(10))) struct ProcessingTargetTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  private func delivery(byteCount: Int = 100_003) async throws -> PendingDelivery {
    var delivery = try await files.delivery(
      bytes: somePicture(byteCount: byteCount), remoteName: "r1/2026/page 1.jpg")
    delivery.metadata = ["rig": "r1", "press-number": "7"]
    return delivery
  }

  private func configuration(
    _ url: String, _ form: ProcessingConfiguration.Form = .multipart,
    stallTimeout: Duration = .seconds(120), answerTimeout: Duration = .seconds(120)
  ) -> ProcessingConfiguration {
    ProcessingConfiguration(
      url: url, form: form,
      http: HTTPSettings(stallTimeout: stallTimeout, answerTimeout: answerTimeout))
  }

  private static let result = #"{"a":"ü \"x\"","byteCount":100003,"z":[1,2.5,null]}"#

  @Test(arguments: ProcessingConfiguration.Form.allCases)
  func `a stream of events ends in a receipt with its result`(form: ProcessingConfiguration.Form)
    async throws
  {
    try await withProcessingPeer { peer in
      let target = try ProcessingTarget(
        configuration(peer.url + "events", form), wallNanoseconds: { 42 })
      let delivery = try await delivery()
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(
        receipt
          == Receipt(
            url: peer.url + "events", remoteName: "r1/2026/page 1.jpg", sha256: delivery.sha256,
            verification: .checksum, status: 200, entityTag: nil, isDuplicate: false,
            result: Self.result, wallNanoseconds: 42))
      #expect(
        journal.progress == [
          DeliveryProgress(fraction: 0.25),
          DeliveryProgress(fraction: 0.5, text: "reading the page"),
        ])
      #expect(try peer.requests().count == 1)
    }
  }

  @Test(arguments: [0, 1, 100_003, 3_000_000])
  func `a form arrives as another implementation reads it`(byteCount: Int) async throws {
    try await withProcessingPeer { peer in
      let delivery = try await delivery(byteCount: byteCount)
      let target = try ProcessingTarget(configuration(peer.url + "no-result"))
      let receipt = try await target.deliver(delivery, journal: journal)
      #expect(receipt.result == nil)
      #expect(receipt.verification == .statusOnly)
      let request = try #require(try peer.requests().first)
      #expect(request.byteCount == byteCount)
      #expect(request.sha256 == delivery.sha256)
      #expect(request.fileName == "page 1.jpg")
      #expect(request.fileType == "image/jpeg")
      #expect(
        request.fields == ["rig": "r1", "press-number": "7", "sha256": delivery.sha256])
      #expect(request.headers?["idempotency-key"] == delivery.id)
      #expect(request.headers?["content-length"] == request.bodyByteCount.map(String.init))
    }
  }

  @Test(arguments: [0, 3_000_000])
  func `a raw body arrives with its fields`(byteCount: Int) async throws {
    try await withProcessingPeer { peer in
      let delivery = try await delivery(byteCount: byteCount)
      let target = try ProcessingTarget(configuration(peer.url + "no-result", .raw))
      _ = try await target.deliver(delivery, journal: journal)
      let request = try #require(try peer.requests().first)
      #expect(request.sha256 == delivery.sha256)
      #expect(request.headers?["content-type"] == "image/jpeg")
      #expect(request.headers?["platen-meta-rig"] == "r1")
      #expect(request.headers?["platen-meta-press-number"] == "7")
      let digest = try await run(
        "/bin/sh",
        ["-c", "openssl dgst -sha256 -binary '\(delivery.path)' | openssl base64 -A"])
      #expect(request.headers?["content-digest"] == "sha-256=:\(digest):")
    }
  }

  @Test func `a stream in small pieces is read`() async throws {
    try await withProcessingPeer { peer in
      let target = try ProcessingTarget(configuration(peer.url + "lines"))
      let receipt = try await target.deliver(delivery(), journal: journal)
      #expect(receipt.result == #"{"a":1}"#)
      #expect(receipt.verification == .statusOnly)
    }
  }

  @Test func `a plain answer in JSON is the result`() async throws {
    try await withProcessingPeer { peer in
      let delivery = try await delivery()
      let receipt = try await ProcessingTarget(configuration(peer.url + "json"))
        .deliver(delivery, journal: journal)
      #expect(receipt.status == 201)
      #expect(receipt.verification == .checksum)
      #expect(
        receipt.result?.contains(#""byteCount":100003,"sha256":"\#(delivery.sha256)","z":["#)
          == true)
      let other = try await ProcessingTarget(configuration(peer.url + "json-no-error"))
        .deliver(delivery, journal: journal)
      #expect(other.result == #"{"error":null}"#)
    }
  }

  @Test func `work whose answer was lost is not repeated`() async throws {
    try await withProcessingPeer { peer in
      let delivery = try await delivery()
      let configuration = configuration(peer.url + "lost-once")
      #expect(try await ProcessingTarget(configuration).failure(of: delivery).code == .unreachable)
      let receipt = try await ProcessingTarget(configuration).deliver(delivery, journal: journal)
      #expect(receipt.isDuplicate)
      #expect(receipt.result == #"{"pages":1}"#)
      #expect(
        try peer.requests().map { $0.headers?["idempotency-key"] } == ["0001-1-a", "0001-1-a"])
    }
  }

  @Test func `the token is read for each delivery and never shown`() async throws {
    try await withProcessingPeer { peer in
      var configuration = configuration(peer.url + "forbidden")
      let token = try files.secret("first-token\n")
      configuration.bearerToken = token
      let first = try await ProcessingTarget(configuration).failure(of: delivery())
      #expect(first.code == .unauthorized)
      #expect(first.scope == .target)
      try Data("second-token".utf8).write(to: URL(fileURLWithPath: token.path))
      let second = try await ProcessingTarget(configuration).failure(of: delivery())
      #expect(
        try peer.requests().map { $0.headers?["authorization"] }
          == ["Bearer first-token", "Bearer second-token"])
      for failure in [first, second] { #expect(!String(reflecting: failure).contains("token")) }
      try FileManager.default.removeItem(atPath: token.path)
      let third = try await ProcessingTarget(configuration).failure(of: delivery())
      #expect(third.code == .unauthorized)
      #expect(try peer.requests().count == 2)
    }
  }

  @Test func `a busy endpoint gets the pause that it asks for`() async throws {
    try await withProcessingPeer { peer in
      let target = try ProcessingTarget(configuration(peer.url + "throttle"))
      let failure = try await target.failure(of: delivery())
      #expect(failure.code == .throttled)
      #expect(failure.scope == .target)
      #expect(failure.status == 429)
      #expect(failure.retryAfter == .seconds(7))
    }
  }

  @Test func `canceling ends a delivery at once`() async throws {
    try await withProcessingPeer { peer in
      let target = try ProcessingTarget(
        configuration(peer.url + "silent", stallTimeout: .seconds(1000)))
      let delivery = try await delivery()
      let task = Task { try await target.deliver(delivery, journal: journal) }
      try await eventually { !journal.progress.isEmpty }
      task.cancel()
      let result = await task.result
      #expect { try result.get() } throws: { ($0 as? DeliveryFailure)?.code == .cancelled }
    }
  }

  @Test func `a URL that cannot be used is refused without its secrets`() throws {
    let failure = try #require(throws: DeliveryFailure.self) {
      try ProcessingTarget(ProcessingConfiguration(url: "http://rig:secret@host/"))
    }
    #expect(failure.code == .blocked)
    #expect(!failure.text.contains("secret"))
  }
}
