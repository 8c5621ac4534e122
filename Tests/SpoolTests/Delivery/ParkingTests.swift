import Foundation
import Testing

@testable import Spool

/// Deliveries that are parked, retried, resumed and paused.
struct ParkingTests {
  let directory = TestDirectory()
  static let backup = TargetID(rawValue: "backup")

  func open(
    _ change: (inout SpoolConfiguration) -> Void = { _ in },
    environment: SpoolEnvironment = SpoolEnvironment(bootID: "b")
  ) async throws -> Spool {
    try await Spool.open(directory.configuration(change), environment: environment)
  }

  @Test func `A parked item keeps its file, lets the others pass and comes back in its place`()
    async throws
  {
    var spool = try await open()
    let events = await spool.events()
    var ids: [ItemID] = []
    for number in 1...3 { ids.append(try await spool.store(.sample(number)).id) }
    for attempt in 0..<3 {
      let delivery = try #require(try await spool.nextDelivery())
      #expect(delivery.id == ids[0] && delivery.attempts == attempt)
      #expect(delivery.itemFailures == max(0, attempt - 1))
      try await spool.recordAttempt(ids[0], failure: .sample, isItemFault: attempt > 0)
    }
    _ = try await spool.nextDelivery()
    let poison = DeliveryFailure(code: "tooLarge", message: "413", httpStatus: 413)
    try await spool.park(ids[0], failure: poison)
    #expect(try await spool.nextDelivery()?.id == ids[1])
    await spool.release(ids[1])
    #expect(try await spool.counts().parked == 1)
    #expect(try await spool.counts().bytesWaiting == 900)
    #expect(TestDirectory.files(of: ids[0], in: directory.spool).count == 2)
    await spool.close()

    spool = try await open()
    let record = try #require(try await spool.item(ids[0]))
    #expect(record.state == .parked)
    let delivery = try #require(record.deliveries.first)
    #expect(delivery.state == .parked && delivery.attempts == 4 && delivery.itemFailures == 3)
    #expect(delivery.lastFailure == poison)
    #expect(try await spool.items(state: .parked, limit: 9).map(\.id) == [ids[0]])
    await #expect(throws: SpoolError.self) { try await spool.park(ids[0], failure: poison) }
    await #expect(throws: SpoolError.self) { try await spool.retry(ids[1]) }
    try await spool.retry(ids[0])
    await #expect(throws: SpoolError.self) { try await spool.retry(ids[0]) }
    let again = try #require(try await spool.nextDelivery())
    #expect(again.id == ids[0] && again.attempts == 4 && again.itemFailures == 0)
    #expect(try await spool.auditEvents().map(\.kind) == [.retried, .parked])
    #expect(try await spool.auditEvents().map(\.item) == [ids[0], ids[0]])
    await spool.close()
    var seen: [SpoolEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen.last == .parked(ids[0], .primary))
  }

  @Test
  func `An item is parked when no other target waits for it, and delivered with the last receipt`()
    async throws
  {
    let spool = try await open { $0.targets = [.primary, Self.backup] }
    let id = try await spool.store(.sample(1)).id
    let one = try #require(try await spool.nextDelivery())
    try await spool.park(id, failure: .sample)
    #expect(try await spool.item(id)?.state == .stored)
    let other = try #require(try await spool.nextDelivery(target: Self.backup))
    try await spool.complete(id, receipt: .sample(other), target: Self.backup)
    #expect(try await spool.item(id)?.state == .parked)
    #expect(TestDirectory.files(of: id, in: directory.spool).count == 2)
    #expect(try await spool.retryAllParked() == 1)
    #expect(try await spool.nextDelivery()?.id == id)
    try await spool.complete(id, receipt: .sample(one))
    #expect(try await spool.item(id)?.state == .delivered)
    #expect(TestDirectory.files(of: id, in: directory.spool) == [])
    await spool.close()
  }

  /// A press is stored between two of the commits.
  @Test func `All parked items come back, one commit a call`() async throws {
    let spool = try await open()
    for number in 1...620 { _ = try await spool.store(.sample(number, bytes: 10)) }
    while let delivery = try await spool.nextDelivery() {
      try await spool.park(delivery.id, failure: .sample)
    }
    #expect(try await spool.stats().targets.first?.parked == 620)
    let first = await spool.callNumber()
    #expect(try await spool.retryAllParked() == 620)
    let second = await spool.callNumber()
    #expect(try await spool.counts().parked == 0)
    #expect(try await spool.counts().stored == 620)

    // A few items take one commit.
    try await spool.park(try #require(try await spool.nextDelivery()).id, failure: .sample)
    let third = await spool.callNumber()
    #expect(try await spool.retryAllParked() == 1)
    let last = await spool.callNumber()
    #expect(second - first > last - third)
    #expect(try await spool.retryAllParked() == 0)
    await spool.close()
  }

  @Test func `A picture is stored after the first slice of a retry of all`() async throws {
    let spool = try await open()
    try await spool.fill(waiting: 1700, parkedEvery: 1)
    let slice = SpoolStorage.retryBatch
    let (retried, turns, counts) = try await spool.storing(.sample(1)) {
      try await $0.retryAllParked()
    }
    #expect(retried == 1700)
    #expect(counts.parked == 1700 - slice && counts.stored == slice + 1)
    // The slices, the search that finds nothing more, and the store.
    #expect(turns >= (1700 + slice - 1) / slice + 2)
    #expect(try await spool.counts().parked == 0)
    await spool.close()
  }

  @Test func `A resume state is kept, up to its limit, until the receipt`() async throws {
    var spool = try await open()
    let id = try await spool.store(.sample(1)).id
    let text = String(repeating: "é", count: 4096)
    try await spool.keepResumeState(text, of: id)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.keepResumeState(text + "x", of: id)
    }
    #expect(error?.code == .invalid)
    await spool.close()
    spool = try await open()
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.resumeState == text)
    try await spool.keepResumeState(nil, of: id)
    try await spool.recordAttempt(id, failure: .sample)
    #expect(try await spool.nextDelivery()?.resumeState == nil)
    try await spool.complete(id, receipt: .sample(delivery))
    await #expect(throws: SpoolError.self) { try await spool.keepResumeState("x", of: id) }
    await spool.close()
  }

  @Test func `A pause outlasts a restart and not a reboot`() async throws {
    let pause = KeptPause(remainingNanoseconds: 500, failure: .sample)
    func environment(_ boot: String, _ now: Int64) -> SpoolEnvironment {
      SpoolEnvironment(bootID: boot, bootTimeNanoseconds: { now })
    }
    let spool = try await open(environment: environment("b", 1000))
    try await spool.keepPause(pause)
    try await spool.keepPause(pause, target: Self.backup)
    try await spool.keepPause(nil, target: Self.backup)
    await spool.close()
    let scenes: [(boot: String, now: Int64, left: Int64?)] = [
      ("b", 1000, 500), ("b", 1499, 1), ("b", 1500, nil), ("b", 2000, nil), ("c", 1000, nil),
      ("b", 1200, 300),
    ]
    for scene in scenes {
      let spool = try await open(environment: environment(scene.boot, scene.now))
      let kept = try await spool.keptPause()
      #expect(kept?.remainingNanoseconds == scene.left, "\(scene)")
      if kept != nil { #expect(kept?.failure == .sample) }
      #expect(try await spool.keptPause(target: Self.backup) == nil)
      await spool.close()
    }
  }

  @Test func `A new target gets no old items, and a removed target keeps its own`()
    async throws
  {
    var spool = try await open()
    let old = try await spool.store(.sample(1)).id
    await spool.close()
    spool = try await open { $0.targets = [Self.backup] }
    let new = try await spool.store(.sample(2)).id
    let delivery = try #require(try await spool.nextDelivery(target: Self.backup))
    #expect(delivery.id == new)
    #expect(try await spool.nextDelivery(target: Self.backup) == nil)
    // An item that waits for the old target is shown and never given out.
    #expect(try await spool.nextDelivery() == nil)
    let stats = try await spool.stats()
    #expect(stats.targets.map(\.target) == [Self.backup, .primary])
    #expect(stats.targets.map(\.isConfigured) == [true, false])
    #expect(stats.targets.map(\.pending) == [1, 1])
    try await spool.complete(new, receipt: .sample(delivery), target: Self.backup)
    #expect(try await spool.item(old)?.state == .stored)
    #expect(TestDirectory.files(of: old, in: directory.spool).count == 2)
    await spool.close()
    spool = try await open()
    #expect(try await spool.nextDelivery()?.id == old)
    await spool.close()
  }

  @Test func `Excluded and claimed items are skipped`() async throws {
    let spool = try await open()
    var ids: [ItemID] = []
    for number in 1...4 { ids.append(try await spool.store(.sample(number)).id) }
    #expect(try await spool.nextDelivery(excluding: [ids[0], ids[1]])?.id == ids[2])
    #expect(try await spool.nextDelivery(excluding: [ids[0]])?.id == ids[1])
    #expect(try await spool.nextDelivery(excluding: [ids[0], ids[3]]) == nil)
    #expect(try await spool.nextDelivery()?.id == ids[0])
    await spool.close()
  }

  @Test(arguments: [0, 100, 65_536, 65_537])
  func `A receipt keeps a result of 64 KiB and is stored without a longer one`(
    length: Int
  ) async throws {
    let spool = try await open()
    let id = try await spool.store(.sample(1)).id
    var receipt = Receipt.sample(try #require(try await spool.nextDelivery()))
    receipt.result = String(repeating: "r", count: length)
    try await spool.complete(id, receipt: receipt)
    let kept = try await spool.item(id)?.deliveries.first?.receipt
    #expect(kept?.result?.utf8.count == (length <= 65_536 ? length : nil))
    #expect(kept?.url == receipt.url)
    #expect(try await spool.auditEvents().map(\.kind) == (length > 65_536 ? [.resultLeftOut] : []))
    await spool.close()
  }
}
