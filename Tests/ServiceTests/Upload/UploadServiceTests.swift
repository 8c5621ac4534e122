import Capture
import Devices
import Spool
import TestSupport
import Testing
import struct Spool.DeliveryFailure

@testable import Service
@testable import Upload

/// The upload light's and the listeners' changes, with a real spool and uploader.
@Suite(.timeLimit(.minutes(10))) struct UploadServiceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()
  private let target = AnsweringTarget()
  private let unusable = Upload.DeliveryFailure(
    .fileUnreadable, scope: .item, text: "the file no longer holds the item's bytes")

  private func service(
    _ spool: Spool, order: UploadPolicy.Order = .oldestFirst
  ) -> UploadService {
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(
        retry: RetryPolicy(base: .seconds(4)), parallelDeliveries: 1,
        order: order, startJitter: .zero),
      time: .following(bench.clock, wallNanoseconds: 1_795_219_300_000_000_000),
      random: { 0.5 }, logger: bench.log.logger)
    return UploadService(
      target: "primary", uploader: uploader, spool: spool, monitor: bench.monitor,
      logger: bench.log.logger)
  }

  /// The changes of a monitor in words, one by one.
  private struct Words {
    private var changes: AsyncStream<RigMonitor.Change>.AsyncIterator

    init(_ changes: AsyncStream<RigMonitor.Change>) { self.changes = changes.makeAsyncIterator() }

    mutating func next(_ count: Int) async -> [String] {
      var words: [String] = []
      while words.count < count, let change = await changes.next(isolation: #isolation) {
        switch change {
        case .upload(let activity): words.append("\(activity)")
        case .delivery(let change):
          switch change.outcome {
          case .began: words.append("began")
          case .completed: words.append("completed \(change.itemID)")
          case .failed(let reason): words.append("failed \(change.itemID): \(reason)")
          case .parked(let reason): words.append("parked \(change.itemID): \(reason)")
          }
        default: words.append("\(change)")
        }
      }
      return words
    }
  }

  @Test func `the light is active from the first picture to the last receipt`() async throws {
    let spool = try await scratch.open()
    var ids: [String] = []
    for number in 1...3 as ClosedRange<Int64> {
      ids.append(try await spool.store(.sample(press: number)).id.description)
    }
    var changes = Words(bench.monitor.changes.listen())
    var seen: [String] = []
    try await bench.whileRunning(service(spool)) {
      seen += await changes.next(2)
      for _ in 0..<2 {
        target.answer(.take)
        seen += await changes.next(2)
      }
      target.answer(.take)
      seen += await changes.next(2)
    }
    // The last two changes come from two parts of the rig.
    #expect(
      seen.dropLast(2) == [
        "active", "began", "completed \(ids[0])", "began", "completed \(ids[1])", "began",
      ])
    #expect(Set(seen.suffix(2)) == ["completed \(ids[2])", "idle"])
    #expect(try await spool.counts().delivered == 3)
    await spool.close()
  }

  @Test func `a failure is shown with its reason until the next attempt`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(.sample(press: 1)).id
    var changes = Words(bench.monitor.changes.listen())
    var seen: [String] = []
    let reason = "\"http://server\" cannot be reached: Connection refused"
    try await bench.whileRunning(service(spool)) {
      seen += await changes.next(2)
      target.answer(.refuse(Upload.DeliveryFailure(.unreachable, scope: .target, text: reason)))
      seen += await changes.next(2)
      #expect(await bench.monitor.snapshot.upload == .waitingToRetry)
      #expect(await bench.monitor.snapshot.uploads["primary"]?.detail == reason)
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .seconds(2))
      seen += await changes.next(2)
      #expect(await bench.monitor.snapshot.uploads["primary"]?.detail == nil)
      target.answer(.take)
      seen += await changes.next(2)
    }
    #expect(
      seen.dropLast(2) == [
        "active", "began", "failed \(id): \(reason)", "waitingToRetry", "active", "began",
      ])
    #expect(Set(seen.suffix(2)) == ["completed \(id)", "idle"])
    #expect(bench.log.count("delivery failed, trying again") == 1)
    #expect(try await spool.item(id)?.deliveries.first?.attempts == 1)
    await spool.close()
  }

  /// A picture that is taken out of the queue gets no receipt.
  @Test func `a backlog that ends with a damaged picture ends idle`() async throws {
    let spool = try await scratch.open()
    _ = try await spool.store(.sample(press: 1))
    let damaged = try await spool.store(.sample(press: 2))
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service(spool)) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      try damaged.damage()
      target.answer(.take)
      target.answer(.refuse(unusable))
      for await case .upload(.idle) in changes { break }
    }
    #expect(try await spool.counts().quarantined == 1)
    #expect(await bench.monitor.snapshot.upload == .idle)
    await spool.close()
  }

  @Test func `a damaged picture holds up no other in strict order`() async throws {
    let spool = try await scratch.open()
    let damaged = try await spool.store(.sample(press: 1))
    _ = try await spool.store(.sample(press: 2))
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service(spool, order: .strict)) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      try damaged.damage()
      target.answer(.refuse(unusable))
      target.answer(.take)
      // The clock stands still, so no wait ends.
      for await case .upload(.idle) in changes { break }
    }
    #expect(try await spool.counts().quarantined == 1)
    #expect(try await spool.counts().delivered == 1)
    await spool.close()
  }

  @Test func `a picture damaged while it waits for a retry ends idle`() async throws {
    let spool = try await scratch.open()
    let item = try await spool.store(.sample(press: 1))
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service(spool)) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      target.answer(.refuse(Upload.DeliveryFailure(.timedOut, scope: .item, text: "too slow")))
      for await case .upload(.waitingToRetry) in changes { break }
      try item.damage()
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .seconds(2))
      target.answer(.refuse(unusable))
      for await case .upload(.idle) in changes { break }
    }
    #expect(await bench.monitor.snapshot.upload == .idle)
    #expect(await bench.monitor.snapshot.uploads["primary"]?.detail == nil)
    await spool.close()
  }

  @Test func `a picture that may not go out yet is shown as waiting`() async throws {
    let spool = try await scratch.open()
    await bench.monitor.note(heat: .in(.critical))
    let changes = bench.monitor.changes.listen()
    let service = service(spool)
    try await bench.whileRunning(service) {
      try await eventually { service.uploader.status.holds == [.thermalCritical] }
      _ = try await spool.store(.sample(press: 1))
      for await case .upload(.active) in changes { break }
    }
    #expect(await bench.monitor.snapshot.upload == .active)
    await spool.close()
  }

  /// A picture that the target has already needs no delivery, so that no event of one comes.
  @Test func `a copy of a delivered picture ends idle`() async throws {
    let spool = try await scratch.open()
    let changes = bench.monitor.changes.listen()
    let picture = NewItem.sample(press: 1)
    _ = try await spool.store(picture)
    try await bench.whileRunning(service(spool)) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      target.answer(.take)
      for await case .upload(.idle) in changes { break }
      var copy = picture
      copy.metadata.pressNumber = 2
      _ = try await spool.store(copy)
      try await eventually { try await spool.counts().delivered >= 2 }
      try await eventually { await bench.monitor.snapshot.upload == .idle }
    }
    await spool.close()
  }

  @Test func `the end of the service counts as no attempt`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(.sample(press: 1)).id
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service(spool)) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
    }
    #expect(try await spool.item(id)?.deliveries.first?.attempts == 0)
    #expect(bench.log.count("delivery failed") == 0)
    await spool.close()
  }

  /// With two targets, the light shows the fault of one even while the other works.
  @Test func `an unreachable target is shown until it is back`() async throws {
    await bench.monitor.note(upload: .active, detail: nil, target: "a")
    await bench.monitor.note(upload: .waitingToRetry, detail: "away", target: "b")
    #expect(await bench.monitor.snapshot.upload == .waitingToRetry)
    await bench.monitor.note(upload: .idle, detail: nil, target: "b")
    #expect(await bench.monitor.snapshot.upload == .active)
    await bench.monitor.note(upload: .idle, detail: nil, target: "a")
    #expect(await bench.monitor.snapshot.upload == .idle)
  }

  @Test func `no picture is uploaded while the rig is too hot`() async throws {
    let spool = try await scratch.open()
    let changes = bench.monitor.changes.listen()
    await bench.monitor.note(heat: .in(.critical))
    let service = service(spool)
    try await bench.whileRunning(service) {
      try await eventually { service.uploader.status.holds == [.thermalCritical] }
      _ = try await spool.store(.sample(press: 1))
      await bench.monitor.note(heat: .in(.serious))
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      #expect(service.uploader.status.holds.isEmpty)
    }
    await spool.close()
  }

  @Test func `critical heat ends running uploads`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(.sample(press: 1)).id
    let changes = bench.monitor.changes.listen()
    let service = service(spool)
    try await bench.whileRunning(service) {
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      await bench.monitor.note(heat: .in(.critical))
      try await eventually { service.uploader.status.activity == .held }
    }
    #expect(try await spool.item(id)?.deliveries.first?.attempts == 0)
    #expect(bench.log.count("delivery failed") == 0)
    await spool.close()
  }

  @Test func `a manually retried picture does not wait`() async throws {
    let spool = try await scratch.open()
    let id = try await spool.store(.sample(press: 1)).id
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.park(
      delivery.id, failure: DeliveryFailure(code: "rejected", message: "no"))
    let changes = bench.monitor.changes.listen()
    let fault = RigMonitor.Fault(reason: .deliveryParked, part: "target primary")
    try await bench.whileRunning(service(spool)) {
      try await eventually { await bench.monitor.snapshot.faults == [fault] }
      try await spool.retry(id)
      for await case .delivery(let change) in changes where change.outcome == .began { break }
      target.answer(.take)
      for await case .upload(.idle) in changes { break }
    }
    #expect(await bench.monitor.snapshot.faults == [])
    #expect(try await spool.counts().delivered == 1)
    await spool.close()
  }

  /// More pictures than there may be unread events.
  @Test func `a retry of all parked pictures ends their fault`() async throws {
    let spool = try await scratch.open()
    for press in 1...300 {
      _ = try await spool.store(.sample(press: Int64(press)))
      let delivery = try #require(try await spool.nextDelivery())
      try await spool.park(
        delivery.id, failure: DeliveryFailure(code: "rejected", message: "no"))
    }
    let fault = RigMonitor.Fault(reason: .deliveryParked, part: "target primary")
    try await bench.whileRunning(service(spool)) {
      try await eventually { await bench.monitor.snapshot.faults == [fault] }
      _ = try await spool.retryAllParked()
      try await eventually { await bench.monitor.snapshot.faults == [] }
    }
    await spool.close()
  }

  /// While the spool hangs, the events have no reader, but a delivery still reports progress.
  @Test func `unread progress does not grow`() async throws {
    let spool = try await scratch.open()
    let events = EventHub<UploadService.Event>()
    let unread = service(spool).listen(to: events)
    let changes = bench.monitor.changes.listen(limit: 1000)
    let count = 1000
    for attempt in 1...count {
      events.send(.delivery(.began(id: "a", remoteName: "a", attempt: attempt)))
      events.send(.delivery(.progressed(id: "a", DeliveryProgress())))
    }
    events.finish()
    bench.monitor.changes.finish()
    var attempts: [Int] = []
    for await case .delivery(.began(_, _, let attempt, _)) in unread { attempts.append(attempt) }
    #expect(attempts == Array((count + 1 - UploadService.eventLimit)...count))
    let lost = await changes.reduce(into: 0) { lost, change in
      if case .lost = change { lost += 1 }
    }
    #expect(lost == count - UploadService.eventLimit)
    await spool.close()
  }
}
