import Foundation
import TestSupport
import Testing
import Transfer

@testable import Upload

/// A real tus server behind a proxy with the faults of networks and gateways.
@Suite(.timeLimit(.minutes(10))) struct TusFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var method: String
    var fault: Fault
    /// The code with which the first attempt ends; `nil` when it succeeds despite the fault.
    var code: DeliveryFailure.Code?
    var scope = DeliveryFailure.Scope.target
    var testDescription: String { name }

    init(
      _ name: String, _ method: String, _ fault: Fault, _ code: DeliveryFailure.Code?,
      _ scope: DeliveryFailure.Scope = .target
    ) {
      self.name = name
      self.method = method
      self.fault = fault
      self.code = code
      self.scope = scope
    }
  }

  private static func status(_ line: String, _ headers: [String] = []) -> Fault {
    .respond(answer(line, headers, body: "why"))
  }

  static let cases: [Case] = [
    Case("discovery reset", "OPTIONS", .resetBeforeResponse, .unreachable),
    Case("portal at the discovery", "OPTIONS", .respond(answer("200 OK", body: "<html>")), nil),
    Case("gateway that keeps OPTIONS", "OPTIONS", status("405 Not Allowed"), nil),
    Case("no word of what it can", "OPTIONS", status("404 Not Found"), nil),
    Case("no credentials", "OPTIONS", status("401 Unauthorized"), .unauthorized),
    Case(
      "no creation", "OPTIONS", .respond(answer("204 No Content", ["Tus-Version: 1.0.0"])),
      .blocked),
    Case("creation reset", "POST", .resetBeforeResponse, .unreachable),
    Case("creation's answer lost", "POST", .loseResponse, .unreachable),
    Case("wrong key", "POST", status("403 Forbidden"), .unauthorized),
    Case("too large", "POST", status("413 Too Large"), .rejected, .item),
    Case("no room", "POST", status("507 Insufficient Storage"), .targetFull),
    Case("other version", "POST", status("412 Precondition Failed"), .blocked),
    Case("no place named", "POST", status("201 Created"), .blocked),
    Case("portal at the creation", "POST", status("200 OK"), .blocked),
    Case("throttled", "PATCH", status("429 Too Many", ["Retry-After: 3"]), .throttled),
    Case("not available", "PATCH", status("503 Unavailable"), .throttled),
    Case("server error", "PATCH", status("500 Oops"), .serverError),
    Case("locked", "PATCH", status("423 Locked"), .serverError, .item),
    Case("portal at the bytes", "PATCH", status("200 OK"), .blocked),
    Case("wrong place", "PATCH", status("409 Conflict", ["Upload-Offset: 5"]), nil),
    Case("upload forgotten", "PATCH", status("404 Not Found"), nil),
    Case("upload expired", "PATCH", status("410 Gone"), nil),
    Case("impossible offset", "PATCH", status("204 No Content", ["Upload-Offset: 0"]), nil),
    Case("reset before the answer", "PATCH", .resetBeforeResponse, .unreachable),
    Case("truncated answer", "PATCH", .respond("HTTP/1.1 204 No Con"), .unreachable),
    Case("elsewhere", "PATCH", status("307 T", ["Location: http://127.0.0.1:1/"]), .blocked),
  ]

  @Test(arguments: cases)
  func `the item arrives whole in the end`(sample: Case) async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, content) = try await bench.item(byteCount: 1_500_000)
    let (proxy, url) = try bench.proxy()
    proxy.plan(sample.method, sample.fault)
    let (receipt, failures) = try await bench.target(at: url).deliverPersistently(delivery)
    #expect(proxy.isPlanDone)
    #expect(failures.map(\.code) == (sample.code.map { [$0] } ?? []), "\(failures)")
    #expect(failures.allSatisfy { $0.scope == sample.scope })
    #expect(try await bench.stored(delivery, receipt) == content)
    if sample.name == "throttled" { #expect(failures.first?.retryAfter == .seconds(3)) }
  }

  @Test func `a redirection within the origin is followed once`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, content) = try await bench.item(byteCount: 1000)
    let (proxy, url) = try bench.proxy()
    proxy.plan("POST", .respond(answer("308 Moved", ["Location: /.tus/moved/\(delivery.id)"])))
    let target = try bench.target(at: url)
    let receipt = try await target.deliver(delivery, journal: RecordingJournal())
    var moved = delivery
    moved.remoteName = "moved/\(delivery.id)"
    #expect(try await bench.stored(moved, receipt) == content)
    #expect(try await bench.stored(delivery, receipt) == nil)
    #expect(proxy.requests.map(\.method) == ["OPTIONS", "POST", "POST", "PATCH"])
    #expect(proxy.requests[2].head.contains("Upload-Length: 1000\r\n"))
    for name in ["again", "and-again"] {
      proxy.plan("POST", .respond(answer("308 Moved", ["Location: /.tus/moved/\(name)"])))
    }
    #expect(try await target.failure(of: delivery).code == .blocked)
    #expect(proxy.requests.last?.target == "/.tus/moved/again")
  }

  @Test func `a server's capabilities are asked for again after a refusal`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, content) = try await bench.item(byteCount: 1000)
    let (proxy, url) = try bench.proxy()
    proxy.plan(
      "OPTIONS",
      .respond(
        answer(
          "204 No Content",
          ["Tus-Version: 1.0.0", "Tus-Extension: creation", "Tus-Max-Size: 999"])))
    let target = try bench.target(at: url)
    #expect(try await target.failure(of: delivery).code == .rejected)
    // The limit may have been raised since.
    proxy.plan("PATCH", .respond(answer("400 Bad Request")))
    #expect(try await target.failure(of: delivery).code == .rejected)
    // The server may have changed, so its refusal makes us ask for its capabilities.
    let receipt = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(
      proxy.requests.map(\.method) == [
        "OPTIONS", "OPTIONS", "POST", "PATCH", "OPTIONS", "POST", "PATCH",
      ])
    #expect(try await bench.stored(delivery, receipt) == content)
  }

  @Test(arguments: ["405 Not Allowed", "204 No Content"])
  func `a gateway that keeps OPTIONS is asked once`(status: String) async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (proxy, url) = try bench.proxy()
    proxy.plan("OPTIONS", .respond(answer(status)))
    let target = try bench.target(at: url)
    for byteCount in [1000, 2000] {
      let (delivery, content) = try await bench.item(byteCount: byteCount)
      let receipt = try await target.deliver(delivery, journal: RecordingJournal())
      #expect(try await bench.stored(delivery, receipt) == content)
    }
    #expect(proxy.requests.map(\.method) == ["OPTIONS", "POST", "PATCH", "POST", "PATCH"])
  }

  @Test(arguments: ["seaweedfs", "tussi", "resumable-upload"], [1000, 2_500_003])
  func `a changed file is not delivered as the item`(server: String, byteCount: Int) async throws {
    let bench = try await TusTestBench.shared(server)
    let (delivery, bytes) = try await bench.item(byteCount: byteCount)
    let (proxy, url) = try bench.proxy()
    let target = try bench.target(at: url)
    var damaged = bytes
    damaged[byteCount / 2] ^= 1
    try Data(damaged).write(to: URL(fileURLWithPath: delivery.path))
    let failure = try await target.failure(of: delivery)
    #expect(failure.code == .fileUnreadable)
    #expect(failure.scope == .item)
    try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: delivery.path))
    #expect(try await target.failure(of: delivery).scope == .item)
    #expect(proxy.requests.map(\.method) == ["OPTIONS"], "no upload is made in vain")
  }

  /// A journal in whose call the item's file is damaged, just before the last bytes are sent.
  private struct DamagingJournal: DeliveryJournal {
    let path: String
    let bytes: [UInt8]

    func keep(_ state: ResumeState?) async throws(DeliveryFailure) {
      guard state?.isFinalSent == true else { return }
      try? Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func note(_ progress: DeliveryProgress) {}

    func remark(_ text: String) {}
  }

  @Test(arguments: [false, true])
  func `the last bytes of a file damaged meanwhile are not sent`(isDamaged: Bool) async throws {
    let files = TemporaryDirectory()
    let delivery = try await files.delivery(bytes: somePicture(byteCount: 2500))
    let proxy = try FaultProxy()
    proxy.plan(
      "OPTIONS", .respond(answer("200 OK", ["Tus-Version: 1.0.0", "Tus-Extension: creation"])))
    proxy.plan(
      "POST",
      .respond(
        answer("201 Created", ["Tus-Resumable: 1.0.0", "Location: \(proxy.url)files/1"])))
    for offset in [1000, 2000, 2500] {
      proxy.plan("PATCH", .respond(answer("204 No Content", ["Upload-Offset: \(offset)"])))
    }
    let target = try TusTarget(TusConfiguration(url: proxy.url + "files", patchByteCount: 1000))
    let journal = DamagingJournal(
      path: delivery.path, bytes: somePicture(byteCount: 2500, seed: isDamaged ? 2 : 1))
    if isDamaged {
      #expect(try await target.failure(of: delivery, journal: journal).code == .fileUnreadable)
    } else {
      _ = try await target.deliver(delivery, journal: journal)
    }
    let patches = proxy.requests.filter { $0.method == "PATCH" }.count
    #expect(patches == (isDamaged ? 2 : 3))
  }

  /// The queue fails after so many states: before the first byte is sent, or before the last.
  @Test(arguments: [0, 1])
  func `only an upload without bytes is removed when the queue fails`(kept: Int) async throws {
    let files = TemporaryDirectory()
    let delivery = try await files.delivery(bytes: somePicture(byteCount: 2500))
    let proxy = try FaultProxy()
    proxy.plan(
      "OPTIONS",
      .respond(answer("200 OK", ["Tus-Version: 1.0.0", "Tus-Extension: creation,termination"])))
    proxy.plan(
      "POST",
      .respond(
        answer("201 Created", ["Tus-Resumable: 1.0.0", "Location: \(proxy.url)files/1"])))
    for offset in [1000, 2000] {
      proxy.plan("PATCH", .respond(answer("204 No Content", ["Upload-Offset: \(offset)"])))
    }
    let target = try TusTarget(TusConfiguration(url: proxy.url + "files", patchByteCount: 1000))
    let failure = try await target.failure(
      of: delivery, journal: RecordingJournal(failsAfter: kept))
    #expect(failure.code == .queueFailed)
    #expect(
      proxy.requests.map(\.method)
        == ["OPTIONS", "POST"] + (kept == 0 ? ["DELETE"] : ["PATCH", "PATCH"]))
  }

  @Test func `canceling ends a delivery at once`() async throws {
    let bench = try await TusTestBench.shared("seaweedfs")
    let (delivery, _) = try await bench.item(byteCount: 1000)
    let (proxy, url) = try bench.proxy()
    proxy.plan("PATCH", .hang)
    let target = try bench.target(at: url)
    let task = Task { try await target.deliver(delivery, journal: RecordingJournal()) }
    try await eventually { proxy.requests.contains { $0.method == "PATCH" } }
    task.cancel()
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? DeliveryFailure)?.code == .cancelled }
  }

  @Test func `a URL that cannot be used is refused without its secrets`() throws {
    let failure = try #require(throws: DeliveryFailure.self) {
      try TusTarget(TusConfiguration(url: "http://rig:secret@host/"))
    }
    #expect(failure.code == .blocked)
    #expect(!failure.text.contains("secret"))
  }
}
