import Foundation
import TestSupport
import Testing

@testable import Transfer
@testable import Upload

/// The failures of endpoints and networks, each of which is recognized.
@Suite(.timeLimit(.minutes(10))) struct ProcessingFaultTests {
  private let files = TemporaryDirectory()
  private let journal = NotedProgress()

  private func failure(
    _ url: String, stallTimeout: Duration = .seconds(200), answerTimeout: Duration = .seconds(300)
  ) async throws -> DeliveryFailure {
    let target = try ProcessingTarget(
      ProcessingConfiguration(
        url: url, form: .multipart,
        http: HTTPSettings(
          stallTimeout: stallTimeout, minimumBytesPerSecond: 1_000_000_000,
          answerTimeout: answerTimeout)))
    return try await target.failure(of: files.delivery())
  }

  /// An answer that is no success, and the expected failure.
  struct Fault: Sendable, CustomTestStringConvertible {
    var path: String
    var code: DeliveryFailure.Code
    var scope: DeliveryFailure.Scope
    var words: String
    var testDescription: String { path }

    init(
      _ path: String, _ code: DeliveryFailure.Code, _ scope: DeliveryFailure.Scope, _ words: String
    ) {
      (self.path, self.code, self.scope, self.words) = (path, code, scope, words)
    }
  }

  private static let faults: [Fault] = [
    Fault("permanent", .rejected, .item, "notAPage: there is [2J no page"),
    Fault("passing", .serverError, .target, "busy: no worker"),
    Fault("silent-error", .serverError, .target, "no reason"),
    Fault("wrong-digest", .corrupted, .item, "other bytes"),
    Fault("no-digest", .corrupted, .item, "other bytes"),
    Fault("no-done", .badAnswer, .target, "before \"done\""),
    Fault("done-without-end", .badAnswer, .target, "before \"done\""),
    Fault("created-stream", .blocked, .target, "text/event-stream"),
    Fault("bad-json", .badAnswer, .target, "is not JSON"),
    Fault("garbage", .badAnswer, .target, "before \"done\""),
    Fault("big-result", .rejected, .item, "65536 bytes"),
  ]
  private static let plainFaults: [Fault] = [
    Fault("big-json", .rejected, .item, "65536 bytes"),
    Fault("bigger-json", .rejected, .item, "131072 bytes"),
    Fault("json-error", .rejected, .item, "notAPage: no page"),
    Fault("json-error-text", .serverError, .target, "no model"),
    Fault("json-wrong-digest", .corrupted, .item, "other bytes"),
    Fault("json-none", .badAnswer, .target, "is not JSON"),
    Fault("html", .blocked, .target, "text/html"),
    Fault("untyped", .blocked, .target, "nothing"),
    Fault("accepted", .blocked, .target, "202"),
    Fault("refuse", .rejected, .item, "tooDark: the page is too dark"),
    Fault("forbidden", .unauthorized, .target, "403"),
    Fault("broken", .serverError, .target, "500"),
    Fault("unknown", .blocked, .target, "404"),
  ]

  @Test(arguments: faults + plainFaults)
  func `each kind of unsuccessful answer is recognized`(fault: Fault) async throws {
    try await withProcessingPeer { peer in
      let failure = try await failure(peer.url + fault.path)
      #expect(failure.code == fault.code, "\(failure)")
      #expect(failure.scope == fault.scope)
      #expect(failure.text.contains(fault.words), "\(failure)")
      #expect(!failure.text.utf8.contains(0x1B))
    }
  }

  @Test(arguments: ["endless-line", "endless-event"])
  func `an endless event is cut off`(path: String) async throws {
    try await withProcessingPeer { peer in
      let failure = try await failure(peer.url + path)
      #expect(failure.code == .badAnswer)
      #expect(failure.scope == .target)
      try await expectFewBytes(at: peer, below: 64 << 20)
    }
  }

  @Test func `endless events are cut off`() async throws {
    try await withProcessingPeer { peer in
      let failure = try await failure(peer.url + "endless-progress", answerTimeout: .seconds(3600))
      #expect(failure.code == .badAnswer)
      #expect(failure.text.contains("\(ProcessingReader.maximumStreamBytes) bytes"))
      try await expectFewBytes(at: peer, below: ProcessingReader.maximumStreamBytes + (64 << 20))
    }
  }

  @Test func `a silent endpoint causes a timeout`() async throws {
    try await withProcessingPeer { peer in
      let failure = try await failure(peer.url + "silent", stallTimeout: .seconds(1))
      #expect(failure.code == .timedOut)
      #expect(failure.scope == .target)
    }
  }

  @Test func `work that takes too long causes a timeout`() async throws {
    try await withProcessingPeer { peer in
      let failure = try await failure(peer.url + "slow", answerTimeout: .seconds(1))
      #expect(failure.code == .timedOut)
    }
  }

  /// Expects that the peer sent few bytes; the buffers of two sockets hold some MiB unread.
  private func expectFewBytes(at peer: ProcessingPeer, below limit: Int) async throws {
    var sent: Int?
    try await eventually {
      sent = try peer.requests().lazy.compactMap(\.sentByteCount).first
      return sent != nil
    }
    #expect(try #require(sent) < limit)
  }

  @Test func `faults of the network are the target's fault`() async throws {
    try await withProcessingPeer { peer in
      let proxy = try FaultProxy(upstream: peer.port)
      let url = proxy.url + "events"
      let faults: [UploadTests.Fault] = [
        .resetMidBody(after: 5000), .resetBeforeResponse, .loseResponse,
        .respond(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n"),
      ]
      for fault in faults {
        proxy.plan("POST", fault)
        let failure = try await failure(url)
        #expect(failure.code == .unreachable, "\(failure)")
        #expect(failure.scope == .target)
      }
      // The digest that the endpoint names shows that a body was damaged on the way.
      proxy.plan("POST", .corruptBody)
      let damaged = try await failure(url)
      #expect(damaged.code == .corrupted || damaged.code == .badAnswer, "\(damaged)")
      proxy.plan("POST", .hang)
      #expect(try await self.failure(url, stallTimeout: .seconds(1)).code == .timedOut)
      // A slow proxy would let the next delivery hang.
      try await eventually { proxy.isPlanDone }
      let target = try ProcessingTarget(ProcessingConfiguration(url: url, form: .multipart))
      #expect(try await target.deliver(files.delivery(), journal: journal).result != nil)
    }
  }

  @Test func `an error after a result is an error`() {
    var answer = ProcessingAnswer(sha256: "00")
    _ = answer.take(StreamedEvent(name: "result", data: "1"))
    _ = answer.take(StreamedEvent(name: "error", data: "{}"))
    _ = answer.take(StreamedEvent(name: "done", data: "{}"))
    guard case .failed = answer.end() else {
      Issue.record("\(answer)")
      return
    }
  }

  @Test(arguments: [
    (#"{"fraction":0.5}"#, 0.5), (#"{"fraction":-0.1}"#, nil), (#"{"fraction":1.01}"#, nil),
    (#"{"fraction":1e999}"#, nil), (#"{"fraction":"0.5"}"#, nil), ("[]", nil), ("7", nil),
  ])
  func `an invalid fraction is ignored`(data: String, fraction: Double?) {
    var answer = ProcessingAnswer(sha256: "00")
    #expect(
      answer.take(StreamedEvent(name: "progress", data: data))
        == DeliveryProgress(fraction: fraction))
    #expect(answer.outcome == nil)
  }
}
