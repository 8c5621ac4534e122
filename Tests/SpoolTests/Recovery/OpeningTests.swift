import Foundation
import Glibc
import Testing

@testable import Spool

/// The order and the amount of the start's work.
struct OpeningTests {
  let directory = TestDirectory()

  func open(_ boot: String, files: FaultyFileSystem? = nil) async throws -> Spool {
    var environment = SpoolEnvironment(bootID: boot, monotonicNanoseconds: { 9 })
    if let files { environment.files = files }
    return try await Spool.open(directory.configuration(), environment: environment)
  }

  @Test(arguments: [false, true])
  func `Events that the start records belong to this boot`(isIndexLost: Bool) async throws {
    var spool = try await open("a")
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 1_000_000, source: "test")
    let item = try await spool.store(.sample(1))
    await spool.close()
    if isIndexLost {
      try Data(repeating: 0x55, count: 9000).write(
        to: URL(fileURLWithPath: directory.spool + "/queue.db"))
      try write("torn", to: item.path)
    } else {
      try FileManager.default.removeItem(atPath: item.path)
    }
    spool = try await open("b")
    let events = try await spool.auditEvents()
    #expect(events.map(\.kind) == (isIndexLost ? [.quarantined, .rebuilt] : [.quarantined]))
    #expect(events.allSatisfy { $0.boot == 2 && $0.wallNanoseconds == nil })
    // The time is filled in with this boot's clock, not with the earlier one's.
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 5_000_000, source: "test")
    let known = try await spool.auditEvents()
    #expect(known.allSatisfy { $0.wallNanoseconds == 5_000_009 })
    await spool.close()
  }

  @Test func `An unreadable row of the queue harms no other row`() async throws {
    var spool = try await open("a")
    var items: [StoredItem] = []
    for number in 1...4 { items.append(try await spool.store(.sample(number))) }
    await spool.close()
    let sql = "UPDATE item SET id = 'nonsense' WHERE sequence = 2"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    spool = try await open("a")
    #expect(spool.recovery.brokenIndex == nil)
    #expect(spool.recovery.adopted == 1 && spool.recovery.quarantined == 1)
    var order: [ItemID] = []
    while let delivery = try await spool.nextDelivery() { order.append(delivery.id) }
    #expect(order == [0, 2, 3, 1].map { items[$0].id })
    #expect(try await spool.auditEvents(limit: 9).contains { $0.detail?.contains("row 2") == true })
    await spool.close()
    spool = try await open("a")
    #expect(spool.recovery.isClean)
    await spool.close()
  }

  @Test(arguments: [false, true])
  func `A damaged database is marked as distrusted durably before any of its files is moved`(
    isDistrusted: Bool
  ) async throws {
    let spool = try await open("a")
    await spool.close()
    if isDistrusted {
      try write("", to: directory.spool + "/queue.db.distrusted")
      try write("log", to: directory.spool + "/queue.db-wal")
    } else {
      try Data(repeating: 0x55, count: 9000).write(
        to: URL(fileURLWithPath: directory.spool + "/queue.db"))
    }
    let files = FaultyFileSystem(root: directory.spool)
    let again = try await open("a", files: files)
    await again.close()
    let steps = files.journal.map(\.description)
    let start = try #require(
      steps.firstIndex(of: isDistrusted ? "sync spool" : "create queue.db.distrusted"))
    let marked = isDistrusted ? [] : ["create queue.db.distrusted"]
    let log = isDistrusted ? ["rename queue.db-wal queue.db.broken-wal"] : []
    let expected =
      marked + ["sync spool"] + log + [
        "rename queue.db queue.db.broken", "sync spool", "unlink queue.db.distrusted",
        "create queue.db", "sync spool",
      ]
    #expect(Array(steps[start...].prefix(expected.count)) == expected)
  }

  @Test(arguments: ["a", "b"])
  func `Many pictures are forced to the disk at once, except those of another boot`(
    boot: String
  ) async throws {
    let spool = try await open("a")
    for number in 1...100 { _ = try await spool.store(.sample(number, bytes: 20)) }
    await spool.close()
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    let files = FaultyFileSystem(root: directory.spool)
    let again = try await open(boot, files: files)
    #expect(again.recovery.adopted == 100)
    await again.close()
    let steps = files.journal.map(\.description)
    #expect(steps.count { $0 == "sync all of items" } == (boot == "a" ? 1 : 0))
    let single = steps.count { $0.hasPrefix("sync 0000") && $0.hasSuffix(".jpg") }
    #expect(boot == "a" ? (1...64).contains(single) : single == 0)
  }

  @Test func `A shard is not made when it cannot be made durable`() async throws {
    let trigger = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard trigger.isArmed, case .openDirectory(let path) = step else { return nil }
      return path.hasSuffix("/items") ? EMFILE : nil
    }
    var environment = SpoolEnvironment(files: files, bootID: "b", random: { 0x42 })
    environment.wallNanoseconds = { 0 }
    let spool = try await Spool.open(directory.configuration(), environment: environment)
    try directory.removeShard("42")
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) { try await spool.store(.sample(1)) }
    #expect(error?.code == .shortOfResources)
    trigger.disarm()
    let before = files.journal.count
    _ = try await spool.store(.sample(1))
    #expect(
      files.journal.dropFirst(before).prefix(2).map(\.description) == ["mkdir 42", "sync items"])
    await spool.close()
  }
}
