import Foundation
import Glibc
import TestSupport
import Testing

@testable import Spool

/// Rows of items that are gone.
struct HistoryTests {
  let directory = TestDirectory()

  /// Opens a spool whose pictures share a shard, so that each makes earlier removals durable.
  func open(history: Int, boot: String = "b") async throws -> Spool {
    let numbers = NumberSource(seed: 4)
    return try await Spool.open(
      directory.configuration { $0.historyItems = history },
      environment: SpoolEnvironment(
        bootID: boot, random: { numbers.next() & ~0xff | 0x42 }))
  }

  func deliver(_ spool: Spool) async throws {
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
  }

  @Test func `A delivered item is marked purged with the next commit, at no extra cost`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    let first = try await spool.store(.sample(1)).id
    try await deliver(spool)
    #expect(try await spool.item(first)?.state == .delivered)
    let before = files.journal.count
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(
      files.journal.dropFirst(before).map(\.description) == [
        "will pressNumbers", "did pressNumbers",
      ])
    #expect(try await spool.item(first)?.state == .purged)
    #expect(try await spool.counts().delivered == 1)
    await spool.close()
  }

  /// The medium does not give back a page of old rows.
  @Test func `A history that cannot be pruned takes no receipt with it`() async throws {
    let numbers = NumberSource(seed: 4)
    let trigger = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard step == .prune else { return nil }
      trigger.arm()
      return EIO
    }
    let environment = SpoolEnvironment(
      files: files, bootID: "b", random: { numbers.next() & ~0xff | 0x42 })
    let configuration = directory.configuration { $0.historyItems = 0 }
    let spool = try await Spool.open(configuration, environment: environment)
    for number in 1...6 {
      let item = try await spool.store(.sample(number))
      try await deliver(spool)
      #expect(try await spool.item(item.id)?.state == .delivered)
    }
    #expect(trigger.isArmed)
    #expect(await spool.persistentFailure == nil)
    #expect(try await spool.counts().delivered == 6)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test(arguments: [0, 3])
  func `The history is pruned to its length, the oldest first`(length: Int) async throws {
    let spool = try await open(history: length)
    var ids: [ItemID] = []
    for number in 1...30 {
      ids.append(try await spool.store(.sample(number)).id)
      if number == 10 {
        _ = try await spool.nextDelivery()
        try await spool.park(ids[9], failure: .sample)
      } else {
        try await deliver(spool)
      }
    }
    // Two more pictures: one makes the last removal durable, one has the pruned row gone.
    for number in 31...32 { ids.append(try await spool.store(.sample(number)).id) }
    _ = try await spool.reservePressNumbers(count: 1)
    let kept = try await spool.items(limit: 100).map(\.id)
    #expect(kept == Array((ids[9...9] + ids[(30 - length)..<30] + ids[30...31]).reversed()))
    // The pruned items are still counted, and their numbers are not used again.
    #expect(try await spool.counts().delivered == 29)
    #expect(try await spool.stats().historyRows == length)
    await spool.close()
    let again = try await open(history: length)
    #expect(try await again.counts().delivered == 29)
    #expect(try await again.store(.sample(99)).id.sequence == 33)
    #expect(try await again.verify().isClean)
    await again.close()
  }

  @Test func `A row whose removal is not durable is not pruned`() async throws {
    let numbers = NumberSource(seed: 4)
    let shards = Trigger()
    let spool = try await Spool.open(
      directory.configuration { $0.historyItems = 0 },
      environment: SpoolEnvironment(
        bootID: "b", random: { numbers.next() & ~0xff | (shards.isArmed ? 0x11 : 0x42) }))
    let first = try await spool.store(.sample(1)).id
    try await deliver(spool)
    shards.arm()
    for number in 2...5 {
      _ = try await spool.store(.sample(number))
      #expect(try await spool.item(first)?.state == .purged)
    }
    shards.disarm()
    _ = try await spool.store(.sample(6))
    #expect(try await spool.item(first) == nil)
    await spool.close()
  }

  /// The removal may be in the page cache only, whatever the killed process knew of it.
  @Test func `A row of a killed process is pruned after its removal is made durable`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let environment = SpoolEnvironment(files: files, bootID: "b", random: { 0x42 })
    let configuration = directory.configuration { $0.historyItems = 0 }
    var spool = try await Spool.open(configuration, environment: environment)
    let first = try await spool.store(.sample(1)).id
    try await deliver(spool)
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(try await spool.item(first)?.state == .purged)
    await spool.close()
    let before = files.journal.count
    spool = try await Spool.open(configuration, environment: environment)
    #expect(files.journal.dropFirst(before).contains { $0.description == "sync 42" })
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(try await spool.item(first) == nil)
    await spool.close()
  }

  @Test func `A row in a doubtful shard is not pruned before the shard is synchronized`() {
    var history = History(limit: 0)
    let id = ItemID(boot: 1, sequence: 1, random: 0x42)
    history.doubtfulShards = ["41", "42"]
    history.synced(shard: "41")
    #expect(!history.isPrunable(1, id))
    history.synced(shard: "42")
    #expect(history.isPrunable(1, id))
  }

  @Test func `No row is pruned before every file has been seen`() async throws {
    func open(_ history: Int, _ bits: UInt64) async throws -> Spool {
      try await Spool.open(
        directory.configuration { $0.historyItems = history },
        environment: SpoolEnvironment(bootID: "b", random: { bits }))
    }
    var spool = try await open(100, 0xff)
    let delivered = try await spool.store(.sample(1))
    let bytes = try #require(FileManager.default.contents(atPath: delivered.path))
    try await deliver(spool)
    await spool.close()
    spool = try await open(100, 0x00)
    let orphan = try await spool.store(.sample(2))
    await spool.close()
    // The power cut brings the delivered picture back, and another one has lost its row: it is
    // adopted, with a commit, before the delivered one's directory is looked at.
    try bytes.write(to: URL(fileURLWithPath: delivered.path))
    let sql = "DELETE FROM delivery WHERE item = 2; DELETE FROM item WHERE sequence = 2;"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    spool = try await open(0, 0x11)
    #expect(spool.recovery.adopted == 1 && spool.recovery.removedDelivered == 1)
    #expect(try await spool.nextDelivery()?.id == orphan.id)
    #expect(try await spool.nextDelivery() == nil)
    await spool.close()
  }

  @Test func `Removals are made durable when many shards have them`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let numbers = Mutexed<UInt64>(0)
    var environment = SpoolEnvironment(
      files: files, bootID: "b",
      random: {
        numbers.change { $0 += 1 }
        return numbers.value
      })
    environment.unsyncedLimit = 5
    let spool = try await Spool.open(
      directory.configuration { $0.historyItems = 0 }, environment: environment)
    var ids: [ItemID] = []
    for number in 1...6 { ids.append(try await spool.store(.sample(number)).id) }
    for number in 1...5 {
      let before = files.journal.count
      try await deliver(spool)
      let synced = files.journal.dropFirst(before).filter { $0.description.hasPrefix("sync") }
      // Each of the shards 01 to 05 has one picture, and the fifth removal synchronizes all of
      // them.
      #expect(
        Set(synced.map(\.description))
          == (number < 5 ? [] : Set((1...5).map { "sync 0\($0)" })))
      #expect(try await spool.items(limit: 100).count == 6)
    }
    // Only then may the rows go: the first commit marks them as purged, and the next one prunes
    // them.
    for _ in 0..<2 { _ = try await spool.reservePressNumbers(count: 1) }
    #expect(try await spool.items(limit: 100).map(\.id) == [ids[5]])
    #expect(try await spool.counts().delivered == 5)
    await spool.close()
  }

  @Test func `A shorter history is reached a few rows at a time`() async throws {
    var spool = try await open(history: 100_000)
    await spool.close()
    try HistoryFiller.fill(directory.spool + "/queue.db", items: 500)
    spool = try await open(history: 100)
    for step in 1...40 {
      _ = try await spool.reservePressNumbers(count: 1)
      #expect(try await spool.stats().historyRows == max(100, 500 - 16 * step))
    }
    #expect(try await spool.counts().delivered == 500)
    #expect(try await spool.items(limit: 1000).last?.sequence == 1_000_401)
    await spool.close()
  }

  @Test func `The audit log keeps the newest thousand events`() async throws {
    let spool = try await open(history: 10)
    let id = try await spool.store(.sample(1)).id
    for _ in 0..<520 {
      _ = try await spool.nextDelivery()
      try await spool.park(id, failure: .sample)
      try await spool.retry(id)
    }
    let events = try await spool.auditEvents()
    #expect(events.count == 1000)
    #expect(events.map(\.number) == (41...1040).reversed().map(Int64.init))
    #expect(events.first?.kind == .retried && events.first?.boot == 1)
    #expect(try await spool.auditEvents(limit: 2).count == 2)
    #expect(try await spool.auditEvents(limit: 0) == [])
    await spool.close()
  }
}
