import Testing

@testable import Transfer
@testable import Upload

/// Answers to `If-None-Match: *`, and the judgment of an object that a server shows.
@Suite(.timeLimit(.minutes(10))) struct S3ConditionTests {
  private static let refusal = Fault.respond(
    answer(
      "501 Not Implemented", body: "<Error><Code>NotImplemented</Code><Message>m</Message></Error>")
  )

  /// Returns for each storing request whether it carried the condition.
  private func conditions(_ proxy: FaultProxy) -> [Bool] {
    proxy.requests.filter { $0.method == "PUT" }.map { $0.head.contains("If-None-Match: *\r\n") }
  }

  @Test func `an unknown condition is omitted from then on`() async throws {
    let bench = try await S3TestBench.seaweed()
    let proxy = try bench.proxy()
    proxy.plan("PUT", Self.refusal)
    let target = try S3Target(bench.configuration(at: proxy.url))
    for _ in 0..<2 {
      _ = try await target.deliver(bench.item().delivery, journal: RecordingJournal())
    }
    #expect(conditions(proxy) == [true, false, false])
  }

  @Test func `a refusal for another reason keeps the condition`() async throws {
    let bench = try await S3TestBench.seaweed()
    let proxy = try bench.proxy()
    for _ in 0..<2 { proxy.plan("PUT", Self.refusal) }
    let target = try S3Target(bench.configuration(at: proxy.url))
    let (delivery, _) = try await bench.item()
    #expect(try await target.failure(of: delivery).code == .blocked)
    _ = try await target.deliver(delivery, journal: RecordingJournal())
    #expect(conditions(proxy) == [true, false, true])
  }

  @Test func `a failed condition that was not sent proves nothing`() async throws {
    let bench = try await S3TestBench.seaweed()
    let proxy = try bench.proxy()
    proxy.plan("PUT", Self.refusal)
    proxy.plan("PUT", .respond(answer("412 Precondition Failed")))
    let target = try S3Target(bench.configuration(at: proxy.url))
    let failure = try await target.failure(of: bench.item().delivery)
    #expect(failure.code == .conflict)
    #expect(proxy.requests.map(\.method) == ["PUT", "PUT"])
  }

  /// Answers to `HEAD`, and whether the object counts as the item; `nil` for "not S3".
  private static let shown: [([String], Bool?)] = [
    (["Content-Length: 1000", "ETag: \"x\""], true),
    (["Content-Length: 999", "ETag: \"x\""], false),
    (["Content-Length: 1000", "ETag: \"x\"", "x-amz-meta-sha256: 00"], false),
    (["Content-Length: 1000", "ETag: \"x\"", "x-amz-checksum-sha256: AAAA"], false),
    (["Content-Length: 1000"], nil),
    (["Content-Length: 1000", "ETag: "], nil),
    (["Content-Length: many", "ETag: \"x\""], nil),
    (["ETag: \"x\""], nil),
    ([], nil),
  ]

  @Test(arguments: shown)
  func `an object is the item only with its length and a tag`(fields: [String], isItem: Bool?) {
    let headers = fields.map { field in
      let parts = field.split(separator: ":", maxSplits: 1).map { String($0) }
      return HTTPHeader(parts[0], String(parts[1].dropFirst()))
    }
    var delivery = PendingDelivery.test("a")
    delivery.sha256 = String(repeating: "ab", count: 32)
    let presence = S3Delivery.judge(
      HTTPResponse(status: 200, headers: headers), delivery, composite: nil)
    switch isItem {
    case true?: #expect(presence == .same(isCompared: false, entityTag: "\"x\""))
    case false?: #expect(presence == .other)
    case nil: #expect(presence == nil)
    }
  }
}
