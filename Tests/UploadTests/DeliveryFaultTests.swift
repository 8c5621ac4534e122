import Devices
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Upload

/// The uploader, a real nginx, and between them a proxy with the faults of networks.
///
/// At the end there is one object, byte for byte, and one receipt, whatever the faults are.
@Suite(.timeLimit(.minutes(10))) struct DeliveryFaultTests {
  private let files = TemporaryDirectory()
  private let policy: UploadPolicy

  init() {
    var retry = RetryPolicy(base: .milliseconds(4))
    retry.throttledBase = .milliseconds(4)
    retry.cap = .milliseconds(20)
    retry.minimum = .milliseconds(1)
    policy = UploadPolicy(
      retry: retry, retryBudget: RetryBudget(interval: .milliseconds(20)), startJitter: .zero)
  }

  /// Timeouts that no busy machine reaches.
  private static let patient = http()

  private static func http(
    stallTimeout: Duration = .seconds(120), answerTimeout: Duration = .seconds(120)
  ) -> HTTPSettings {
    HTTPSettings(
      stallTimeout: stallTimeout, minimumBytesPerSecond: 1_000_000, answerTimeout: answerTimeout)
  }

  /// The result of a delivery with faults.
  private struct Outcome {
    var failures: [DeliveryFailure] = []
    var receipt: Receipt?
  }

  /// Runs an uploader until its queue is empty or an item fails for the `n`-th time.
  ///
  /// - Parameter first: the settings for the first delivery.
  private func upload(
    _ queue: MemoryQueue, to url: String, policy: UploadPolicy? = nil,
    stopAfterFailures limit: Int = .max, first: HTTPSettings = DeliveryFaultTests.patient,
    onFailure: (DeliveryFailure) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    let target = ChangingTarget(
      first: try WebDAVTarget(WebDAVConfiguration(url: url, http: first)),
      later: try WebDAVTarget(WebDAVConfiguration(url: url, http: Self.patient)))
    let uploader = Uploader(
      queue: queue, target: target, policy: policy ?? self.policy,
      logger: .silent)
    let events = uploader.events.listen()
    let running = Task { await uploader.run() }
    var outcome = Outcome()
    for await event in events {
      if case .failed(_, let failure, _, _) = event {
        outcome.failures.append(failure)
        try await onFailure(failure)
        if outcome.failures.count >= limit { break }
      }
      switch event {
      case .completed(_, let receipt): outcome.receipt = receipt
      case .parked: break
      default: continue
      }
      if await queue.waiting.isEmpty { break }
    }
    running.cancel()
    await running.value
    return outcome
  }

  /// Delivers one item with faults on the way, and checks that the server holds it once and whole.
  private func deliver(
    faults: [(method: String, fault: Fault)], byteCount: Int = 100_003, attempts: Int = 0,
    first: HTTPSettings = DeliveryFaultTests.patient
  ) async throws -> (outcome: Outcome, requests: [FaultProxy.Request]) {
    let server = try await ReceivingServer.start()
    let proxy = try FaultProxy(upstream: server.port)
    for (method, fault) in faults { proxy.plan(method, fault) }
    let bytes = somePicture(byteCount: byteCount)
    let queue = MemoryQueue([
      try await files.delivery(bytes: bytes, remoteName: "a/page.jpg", attempts: attempts)
    ])
    let outcome = try await upload(queue, to: proxy.url, first: first)
    try await server.stop()
    #expect(proxy.isPlanDone)
    #expect(try server.objects() == ["a/page.jpg"])
    #expect(try server.object("a/page.jpg") == bytes)
    #expect(await queue.receipts.count == 1)
    #expect(await queue.failures.count == outcome.failures.count)
    return (outcome, proxy.requests)
  }

  @Test func `without a fault there is no failure`() async throws {
    let (outcome, requests) = try await deliver(faults: [])
    #expect(outcome.failures.isEmpty)
    #expect(requests.map(\.method) == ["PUT", "GET", "MOVE"])
    #expect(requests[0].target == "/a/.page.jpg.upload")
    #expect(requests[2].head.contains("Overwrite: F\r\n"))
  }

  @Test(arguments: ["PUT", "GET", "MOVE"])
  func `a reset before the answer is retried`(method: String) async throws {
    let (outcome, _) = try await deliver(
      faults: [(method, .resetBeforeResponse), (method, .resetBeforeResponse)])
    #expect(outcome.failures.map(\.code) == [.unreachable, .unreachable])
    #expect(outcome.receipt?.isDuplicate == false)
  }

  @Test func `a reset in the body is retried`() async throws {
    let (outcome, _) = try await deliver(
      faults: [("PUT", .resetMidBody(after: 0)), ("PUT", .resetMidBody(after: 200_000))],
      byteCount: 1_500_000)
    #expect(outcome.failures.map(\.code) == [.unreachable, .unreachable])
  }

  @Test(arguments: [0, 1])
  func `a move whose answer is lost leaves one object`(attempts: Int) async throws {
    let (outcome, requests) = try await deliver(
      faults: [("MOVE", .loseResponse)], attempts: attempts)
    #expect(outcome.failures.map(\.code) == [.unreachable])
    #expect(outcome.receipt?.isDuplicate == true)
    // The object is found, and the picture is not sent a second time.
    #expect(requests.filter { $0.method == "PUT" }.count == 1)
  }

  @Test func `a put whose answer is lost is sent again`() async throws {
    let (outcome, _) = try await deliver(faults: [("PUT", .loseResponse)])
    #expect(outcome.failures.map(\.code) == [.unreachable])
    #expect(outcome.receipt?.isDuplicate == false)
  }

  @Test(arguments: ["1", "0", "-5", "soon", "Sun, 06 Nov 1994 08:49:37 GMT"])
  func `a server that asks for a pause gets it`(retryAfter: String) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let (outcome, _) = try await deliver(
      faults: [("PUT", .respond(answer("503 Service Unavailable", ["Retry-After: \(retryAfter)"])))]
    )
    #expect(outcome.failures.map(\.code) == [.throttled])
    #expect(outcome.failures.first?.status == 503)
    if retryAfter == "1" { #expect(start.duration(to: clock.now) >= .seconds(1)) }
  }

  @Test(arguments: ["PUT", "GET", "MOVE"])
  func `an unexpected success is not trusted`(method: String) async throws {
    let garbage = answer("200 OK", ["Content-Type: text/html"], body: "<Error>no</Error>")
    let (outcome, _) = try await deliver(faults: [(method, .respond(garbage))])
    #expect(outcome.failures.count == 1)
    #expect(outcome.receipt?.isDuplicate == false)
  }

  @Test func `a damaged hidden object is not moved to its name`() async throws {
    let (outcome, requests) = try await deliver(
      faults: [("PUT", .corruptBody), ("PUT", .corruptBody)])
    #expect(outcome.failures.map(\.code) == [.corrupted, .corrupted])
    #expect(outcome.failures.allSatisfy { $0.scope == .item })
    #expect(requests.filter { $0.method == "MOVE" }.count == 1)
    #expect(requests.filter { $0.method == "DELETE" }.count == 2)
  }

  @Test(arguments: ["PUT", "GET", "MOVE"])
  func `a silent server causes a timeout`(method: String) async throws {
    let (outcome, _) = try await deliver(
      faults: [(method, .hang)], first: Self.http(stallTimeout: .seconds(1)))
    expectOnlyTimeouts(outcome)
  }

  @Test func `a trickling server causes a timeout`() async throws {
    let (outcome, _) = try await deliver(
      faults: [
        (
          "GET",
          .trickle(
            head: "HTTP/1.1 200 OK\r\nContent-Length: 100003\r\n\r\n", piece: "x", milliseconds: 5)
        )
      ], first: Self.http(answerTimeout: .seconds(1)))
    expectOnlyTimeouts(outcome)
  }

  /// Expects timeouts only; on a busy machine the first delivery may time out before its fault.
  private func expectOnlyTimeouts(_ outcome: Outcome) {
    #expect(!outcome.failures.isEmpty)
    #expect(outcome.failures.allSatisfy { $0.code == .timedOut })
  }

  @Test func `an endless answer is cut off`() async throws {
    let piece = String(repeating: "x", count: 4096)
    let (outcome, _) = try await deliver(
      faults: [
        ("GET", .trickle(head: "HTTP/1.1 200 OK\r\n\r\n", piece: piece, milliseconds: 0)),
        ("PUT", .trickle(head: "HTTP/1.1 500 No\r\n\r\n", piece: piece, milliseconds: 0)),
      ])
    #expect(outcome.failures.map(\.code) == [.serverError, .conflict])
  }

  @Test func `the uploader waits for a server that is down`() async throws {
    // The port is reserved, as no other server may take it while this one is down.
    let server = try await ReceivingServer.start(port: try LocalPort.free())
    try await server.stop()
    let queue = MemoryQueue([
      try await files.delivery(id: "1", remoteName: "1.jpg"),
      try await files.delivery(id: "2", bytes: somePicture(seed: 2), remoteName: "2.jpg"),
    ])
    var failures = 0
    let outcome = try await upload(queue, to: server.url) { failure in
      failures += 1
      #expect(failure.code == .unreachable)
      if failures == 3 {
        _ = try await ReceivingServer.start(in: server.directory, port: server.port)
      }
    }
    try await server.stop()
    #expect(outcome.failures.count >= 3)
    #expect(try server.objects() == ["1.jpg", "2.jpg"])
    #expect(try server.object("1.jpg") == somePicture())
    #expect(try server.object("2.jpg") == somePicture(seed: 2))
    #expect(await Set(queue.receipts.map(\.id)) == ["1", "2"])
    #expect(await queue.receipts.count == 2)
  }

  @Test func `a conflict is a clear failure and lets the others pass`() async throws {
    try await withReceivingServer { server in
      try server.place([1, 2, 3], as: "1.jpg")
      let queue = MemoryQueue([
        try await files.delivery(id: "1", remoteName: "1.jpg"),
        try await files.delivery(id: "2", remoteName: "2.jpg"),
      ])
      // The other item is on its way beside it, however long a busy machine takes.
      var policy = policy
      policy.itemFailuresUntilParked = 1000
      let outcome = try await upload(
        queue, to: server.url, policy: policy, stopAfterFailures: 3
      ) { _ in
        try await eventually { await !queue.receipts.isEmpty }
      }
      #expect(outcome.failures.map(\.code) == [.conflict, .conflict, .conflict])
      #expect(await queue.receipts.map(\.id) == ["2"])
      #expect(try server.object("1.jpg") == [1, 2, 3])
      #expect(try server.objects() == ["1.jpg", "2.jpg"])
      #expect(await queue.waiting.map(\.id) == ["1"])
    }
  }

  @Test func `wrong credentials cost no attempt`() async throws {
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      for _ in 0..<4 { proxy.plan("PUT", .respond(answer("401 Unauthorized"))) }
      for _ in 0..<4 { proxy.plan("PUT", .respond(answer("403 Forbidden"))) }
      let queue = MemoryQueue([
        try await files.delivery(id: "1", remoteName: "1.jpg"),
        try await files.delivery(id: "2", bytes: somePicture(seed: 2), remoteName: "2.jpg"),
      ])
      let outcome = try await upload(queue, to: proxy.url)
      #expect(proxy.isPlanDone)
      #expect(outcome.failures.count == 8)
      #expect(outcome.failures.allSatisfy { $0.code == .unauthorized && $0.scope == .target })
      #expect(await queue.failures.isEmpty)
      #expect(try server.objects() == ["1.jpg", "2.jpg"])
    }
  }

  @Test func `a picture that the server will not take is parked and the others arrive`()
    async throws
  {
    try await withReceivingServer(changes: ["client_max_body_size 200m": "client_max_body_size 1m"])
    { server in
      let queue = MemoryQueue([
        try await files.delivery(
          id: "large", bytes: somePicture(byteCount: 1_500_000), remoteName: "large.jpg")
      ])
      var policy = policy
      policy.itemFailuresUntilParked = 3
      var count = 0
      // Other items come meanwhile, and prove that the target works.
      _ = try await upload(queue, to: server.url, policy: policy) { failure in
        #expect(failure.status == 413)
        count += 1
        await queue.add(
          try await files.delivery(
            id: "\(count)", bytes: somePicture(byteCount: 5000, seed: UInt64(count)),
            remoteName: "\(count).jpg"))
      }
      #expect(await queue.parked.map(\.id) == ["large"])
      #expect(await queue.parked.first?.failure.status == 413)
      #expect(await queue.parked.first?.attempts == count + 1)
      #expect(count >= 2)
      #expect(await queue.receipts.count == count)
      #expect(try server.objects().count == count)
    }
  }

  @Test(arguments: [1, 2, 8])
  func `twenty items arrive through a storm of faults`(parallel: Int) async throws {
    var policy = policy
    policy.parallelDeliveries = parallel
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    try await withReceivingServer { server in
      let proxy = try FaultProxy(upstream: server.port)
      let kinds: [Fault] = [
        .resetBeforeResponse, .resetMidBody(after: 5000), .loseResponse, .corruptBody,
        .respond(answer("503 Service Unavailable", ["Retry-After: 0"])),
        .respond(answer("429 Too Many Requests")), .respond(answer("500 Oh")),
        .respond(answer("200 OK", body: "garbage")), .respond("HTTP/1.1 200 OK\r\nContent-Le"),
        .respond(answer("401 Unauthorized")), .pass,
      ]
      for _ in 0..<60 {
        let method = ["PUT", "GET", "MOVE", "DELETE"].randomElement(using: &random) ?? "PUT"
        proxy.plan(method, kinds.randomElement(using: &random) ?? .pass)
      }
      proxy.plan("PUT", .respond(answer("204 No Content")))
      var items: [PendingDelivery] = []
      for number in 0..<20 {
        items.append(
          try await files.delivery(
            id: "\(number)", bytes: somePicture(byteCount: 20_000, seed: UInt64(number)),
            remoteName: "storm/\(number).jpg"))
      }
      let queue = MemoryQueue(items)
      _ = try await upload(queue, to: proxy.url, policy: policy)
      #expect(await queue.receipts.count == 20, "seed \(seed)")
      #expect(await Set(queue.receipts.map(\.id)).count == 20, "seed \(seed)")
      for number in 0..<20 {
        #expect(
          try server.object("storm/\(number).jpg")
            == somePicture(byteCount: 20_000, seed: UInt64(number)), "seed \(seed)")
      }
    }
  }
}

/// A target with other settings in its first delivery than later.
///
/// A planned silence costs a short timeout, and a busy machine has long ones for all that follows.
private final class ChangingTarget: UploadTarget {
  private let first: WebDAVTarget
  private let later: WebDAVTarget
  private let isFirst = Mutex(true)

  init(first: WebDAVTarget, later: WebDAVTarget) {
    (self.first, self.later) = (first, later)
  }

  var description: String { later.description }

  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    return try await (isFirst ? first : later).deliver(delivery, journal: journal)
  }
}
