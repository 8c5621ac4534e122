import Foundation
import TestSupport
import Testing
import Transfer

@testable import Upload

/// A real SeaweedFS behind a proxy with the faults of networks and gateways.
///
/// At the end there is one object, byte for byte, whatever the faults are.
@Suite(.timeLimit(.minutes(10))) struct S3FaultTests {
  /// Makes an error as S3 sends it.
  private static func error(_ status: String, _ code: String, _ headers: [String] = []) -> Fault {
    .respond(
      answer(
        status, ["Content-Type: application/xml"] + headers,
        body: "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>m</Message></Error>"))
  }

  /// A page with an entity tag, as a captive portal may answer to everything.
  private static let portal = Fault.respond(
    answer("200 OK", ["ETag: \"1-2f\""], body: "<html>Please log in</html>"))

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var method: String
    var fault: Fault
    /// The code with which the first attempt ends; `nil` when it succeeds despite the fault.
    var code: DeliveryFailure.Code?
    var scope = DeliveryFailure.Scope.target
    var isDuplicate = false
    var testDescription: String { name }
  }

  static let whole: [Case] = [
    Case(
      name: "reset mid-body", method: "PUT", fault: .resetMidBody(after: 30_000),
      code: .unreachable),
    Case(
      name: "cut mid-body", method: "PUT", fault: .cutMidBody(after: 30_000), code: .unreachable),
    Case(
      name: "reset before the answer", method: "PUT", fault: .resetBeforeResponse,
      code: .unreachable),
    Case(
      name: "lost answer", method: "PUT", fault: .loseResponse, code: .unreachable,
      isDuplicate: true),
    Case(
      name: "body damaged on the way", method: "PUT", fault: .corruptBody, code: .corrupted,
      scope: .item),
    Case(
      name: "error under 200", method: "PUT", fault: error("200 OK", "InternalError"),
      code: .serverError),
    Case(
      name: "SlowDown", method: "PUT",
      fault: error("503 Slow Down", "SlowDown", ["Retry-After: 7"]), code: .throttled),
    Case(
      name: "truncated answer", method: "PUT",
      fault: .respond("HTTP/1.1 503 Nope\r\nContent-Length: 900\r\n\r\n<Error>"),
      code: .unreachable),
    Case(
      name: "captive portal", method: "PUT",
      fault: .respond(answer("200 OK", body: "<html>Please log in</html>")), code: .blocked),
    Case(name: "captive portal that caches", method: "PUT", fault: portal, code: .blocked),
    Case(
      name: "no HTTP at all", method: "PUT", fault: .respond("HTTP/1.1 2"), code: .unreachable),
    Case(
      name: "endless body", method: "PUT",
      fault: .respond(answer("500 Oops", body: String(repeating: "x", count: 70_000))),
      code: .serverError),
    Case(
      name: "conflict", method: "PUT", fault: error("409 Conflict", "ConditionalRequestConflict"),
      code: nil),
    Case(
      name: "no conditions known", method: "PUT",
      fault: error("501 Not Implemented", "NotImplemented"), code: nil),
    Case(
      name: "expired token", method: "PUT", fault: error("400 Bad Request", "ExpiredToken"),
      code: .unauthorized),
    Case(
      name: "redirected elsewhere", method: "PUT",
      fault: error(
        "307 Temporary Redirect", "TemporaryRedirect", ["Location: http://127.0.0.1:1/pages/x"]),
      code: .blocked),
    Case(
      name: "moved for good", method: "PUT", fault: error("301 Moved", "PermanentRedirect"),
      code: .blocked),
  ]

  @Test(arguments: whole)
  func `an item of one request arrives once`(sample: Case) async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item()
    let proxy = try bench.proxy()
    proxy.plan(sample.method, sample.fault)
    let target = try S3Target(bench.configuration(at: proxy.url))
    let (receipt, failures) = try await target.deliverPersistently(delivery)
    #expect(proxy.isPlanDone)
    #expect(failures.map(\.code) == (sample.code.map { [$0] } ?? []), "\(failures)")
    #expect(failures.allSatisfy { $0.scope == sample.scope })
    #expect(receipt.isDuplicate == sample.isDuplicate)
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  private static let noUpload = error("404 Not Found", "NoSuchUpload")

  static let parts: [Case] = [
    Case(
      name: "lost answer to a part", method: "PUT", fault: .loseResponse, code: .unreachable),
    Case(
      name: "part damaged on the way", method: "PUT", fault: .corruptBody, code: .corrupted,
      scope: .item),
    Case(
      name: "error under 200 for a part", method: "PUT", fault: error("200 OK", "InternalError"),
      code: .serverError),
    Case(name: "captive portal at a part", method: "PUT", fault: portal, code: .blocked),
    Case(name: "upload forgotten at a part", method: "PUT", fault: noUpload, code: nil),
    Case(
      name: "no upload ID", method: "POST",
      fault: .respond(answer("200 OK", body: "<InitiateMultipartUploadResult/>")),
      code: .blocked),
    Case(
      name: "reset at the beginning", method: "POST", fault: .resetBeforeResponse,
      code: .unreachable),
  ]

  static let completions: [Case] = [
    Case(
      name: "error under 200", method: "POST", fault: error("200 OK", "InternalError"),
      code: .serverError),
    Case(
      name: "nothing under 200", method: "POST", fault: .respond(answer("200 OK")),
      code: .serverError),
    Case(name: "conflict", method: "POST", fault: error("409 Conflict", "Conflict"), code: nil),
    Case(
      name: "a part is not known", method: "POST", fault: error("400 Bad", "InvalidPart"),
      code: nil),
    Case(name: "upload forgotten", method: "POST", fault: noUpload, code: nil),
    Case(
      name: "another checksum", method: "POST",
      fault: .respond(
        answer(
          "200 OK",
          body: """
            <CompleteMultipartUploadResult><ETag>x</ETag><ChecksumSHA256>abc=-2</ChecksumSHA256>\
            </CompleteMultipartUploadResult>
            """)), code: .corrupted, scope: .item),
  ]

  @Test(arguments: parts + completions)
  func `an item in parts arrives once`(sample: Case) async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item(byteCount: 9_000_001)
    let proxy = try bench.proxy()
    if Self.completions.contains(where: { $0.name == sample.name }) { proxy.plan("POST", .pass) }
    proxy.plan(sample.method, sample.fault)
    let target = try S3Target(bench.configuration(at: proxy.url, user: "reader"))
    let (receipt, failures) = try await target.deliverPersistently(delivery)
    #expect(proxy.isPlanDone)
    #expect(failures.map(\.code) == (sample.code.map { [$0] } ?? []), "\(failures)")
    #expect(failures.allSatisfy { $0.scope == sample.scope })
    #expect(!receipt.isDuplicate)
    #expect(receipt.verification == .checksum)
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `a redirection within the origin is followed once with a new signature`() async throws
  {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item()
    let proxy = try bench.proxy()
    proxy.plan(
      "PUT",
      .respond(answer("307 Temporary Redirect", ["Location: /pages/moved/\(delivery.id)?x-id=a"])))
    let target = try S3Target(bench.configuration(at: proxy.url))
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(proxy.requests.last?.target == "/pages/moved/\(delivery.id)?x-id=a")
    #expect(try await bench.reader.object("moved/\(delivery.id)") == bytes)
    for _ in 0..<2 {
      proxy.plan("PUT", .respond(answer("307 Temporary Redirect", ["Location: /pages/again"])))
    }
    #expect(try await target.failure(of: delivery).code == .blocked)
  }

  @Test func `no request goes to another host`() async throws {
    let bench = try await S3TestBench.seaweed()
    let other = try FaultProxy()
    let proxy = try bench.proxy()
    let (delivery, _) = try await bench.item()
    for location in [other.url + "pages/x", "//127.0.0.1:\(other.port)/x", "https://127.0.0.1/x"] {
      proxy.plan("PUT", .respond(answer("308 Permanent Redirect", ["Location: \(location)"])))
      let failure = try await S3Target(bench.configuration(at: proxy.url)).failure(of: delivery)
      #expect(failure.code == .blocked)
      #expect(failure.scope == .target)
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `a slow answer causes a timeout`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, bytes) = try await bench.item()
    let proxy = try bench.proxy()
    proxy.plan(
      "PUT", .trickle(head: "HTTP/1.1 200 OK\r\nX: ", piece: "y", milliseconds: 5))
    proxy.plan("PUT", .hang)
    let http = HTTPSettings(
      stallTimeout: .milliseconds(400), minimumBytesPerSecond: 10_000_000,
      answerTimeout: .milliseconds(700))
    let target = try S3Target(bench.configuration(at: proxy.url, http: http))
    #expect(try await target.failure(of: delivery).code == .timedOut)
    #expect(try await target.failure(of: delivery).code == .timedOut)
    _ = try await S3Target(bench.configuration()).deliver(delivery, journal: RecordingJournal())
    #expect(try await bench.reader.object(delivery.remoteName) == bytes)
  }

  @Test func `canceling ends a delivery at once`() async throws {
    let bench = try await S3TestBench.seaweed()
    let (delivery, _) = try await bench.item()
    let proxy = try bench.proxy()
    proxy.plan("PUT", .hang)
    let target = try S3Target(bench.configuration(at: proxy.url))
    let task = Task { try await target.deliver(delivery, journal: RecordingJournal()) }
    try await eventually { !proxy.requests.isEmpty }
    task.cancel()
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? DeliveryFailure)?.code == .cancelled }
  }
}
