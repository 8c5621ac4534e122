import Foundation
import Glibc
import Testing

@testable import Spool

/// The return of intact pictures from the quarantine, also after a loss of the index.
struct QuarantineTests {
  let directory = TestDirectory()

  func open(_ boot: String = "b") async throws -> Spool {
    try await Spool.open(directory.configuration(), environment: SpoolEnvironment(bootID: boot))
  }

  /// Damages a stored picture, quarantines it, and returns its right bytes.
  func quarantined(_ spool: Spool) async throws -> (item: StoredItem, bytes: Data) {
    let item = try await spool.store(.sample(1))
    let bytes = try #require(FileManager.default.contents(atPath: item.path))
    try write("damaged", to: item.path)
    #expect(try await spool.verifyForDelivery(item.id) == .quarantined(.damaged))
    return (item, bytes)
  }

  func expectDelivered(_ item: StoredItem, _ spool: Spool) async throws {
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.id == item.id && delivery.remoteName == item.remoteName)
    #expect(try await spool.verifyForDelivery(item.id) == .intact)
    #expect(try await spool.verify().isClean)
    try await spool.complete(item.id, receipt: .sample(delivery))
    #expect(TestDirectory.files(of: item.id, in: directory.spool + "/items") == [])
  }

  @Test(arguments: ["retry", "verify"], ["quarantine", "items"])
  func `An intact file is put back when a person asks`(by: String, place: String) async throws {
    let spool = try await open()
    let (item, bytes) = try await quarantined(spool)
    let error = await #expect(throws: SpoolError.self) { try await spool.retry(item.id) }
    #expect(error?.code == .notWaiting && error?.cause == "damaged")
    let aside = directory.spool + "/quarantine/\(item.id).jpg"
    try bytes.write(to: URL(fileURLWithPath: place == "items" ? item.path : aside))
    let events = await spool.events()
    if by == "retry" {
      try await spool.retry(item.id)
    } else {
      let found = try await spool.verify()
      #expect(found.findings.map(\.object) == [item.id.description], "\(found.findings)")
      #expect(try await spool.item(item.id)?.state == .quarantined)
      let repaired = try await spool.verify(repair: true)
      #expect(repaired.findings.map(\.isRepaired) == [true])
    }
    #expect(try await spool.item(item.id)?.state == .stored)
    #expect(try await spool.auditEvents(limit: 1).first?.kind == .retried)
    // The damaged copy, where there still is one, is not overwritten.
    #expect(FileManager.default.fileExists(atPath: aside) == (place == "items"))
    try await expectDelivered(item, spool)
    await spool.close()
    var seen: [SpoolEvent] = []
    for await event in events { seen.append(event) }
    #expect(
      seen.prefix(2) == [.queue(.primary, QueueState(hasPending: true)), .waiting(item.id)])
    let again = try await open()
    #expect(again.recovery.isClean)
    await again.close()
  }

  /// More unreadable rows in a row than one slice takes.
  @Test func `Unreadable rows hide no quarantined picture and are deleted with it`() async throws {
    var spool = try await open()
    var items: [StoredItem] = []
    for number in 1...70 { items.append(try await spool.store(.sample(number))) }
    await spool.close()
    for item in items { try FileManager.default.removeItem(atPath: item.path) }
    spool = try await open()
    #expect(spool.recovery.quarantined == 70)
    await spool.close()
    let sql = "UPDATE item SET id = 'nonsense' || sequence WHERE sequence <= 66"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    spool = try await open()
    #expect(try await spool.counts().quarantined == 70)
    #expect(try await spool.deleteQuarantined() == 70)
    #expect(try await spool.counts().quarantined == 0)
    #expect(try await spool.item(items[69].id)?.state == .evicted)
    let details = try await spool.auditEvents().compactMap(\.detail)
    #expect(details.contains("row 66 cannot be read"))
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  @Test func `A shard that is missing for one start damages no picture`() async throws {
    var spool = try await open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    let shard = (item.path as NSString).deletingLastPathComponent
    try FileManager.default.moveItem(atPath: shard, toPath: directory.path + "/away")
    spool = try await open()
    #expect(spool.recovery.quarantined == 1)
    #expect(try await spool.verify().isClean)
    await spool.close()
    try directory.removeShard(item.id.shard)
    try FileManager.default.moveItem(atPath: directory.path + "/away", toPath: shard)
    spool = try await open()
    #expect(spool.recovery.restored == 1)
    try await expectDelivered(item, spool)
    await spool.close()
  }

  @Test func `A picture is quarantined after three failed reads in a row`() async throws {
    let trigger = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard trigger.isArmed, case .read(let path) = step else { return nil }
      return path.hasSuffix(".jpg") ? EIO : nil
    }
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    let item = try await spool.store(.sample(1))
    for _ in 0..<2 {
      trigger.arm()
      for _ in 0..<2 {
        let error = await #expect(throws: SpoolError.self) {
          try await spool.verifyForDelivery(item.id)
        }
        #expect(error?.code == .unreadable)
      }
      trigger.disarm()
      #expect(try await spool.verifyForDelivery(item.id) == .intact)
    }
    trigger.arm()
    for _ in 0..<2 {
      await #expect(throws: SpoolError.self) { try await spool.verifyForDelivery(item.id) }
    }
    #expect(try await spool.verifyForDelivery(item.id) == .quarantined(.unreadable))
    await #expect(throws: SpoolError.self) { try await spool.retry(item.id) }
    trigger.disarm()
    try await spool.retry(item.id)
    try await expectDelivered(item, spool)
    await spool.close()
  }

  @Test(arguments: [true, false])
  func `A rebuilt index knows the quarantine`(hasSidecar: Bool) async throws {
    var spool = try await open()
    let (item, bytes) = try await quarantined(spool)
    await spool.close()
    let aside = directory.spool + "/quarantine/\(item.id)"
    if !hasSidecar { try FileManager.default.removeItem(atPath: aside + ".json") }
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    spool = try await open()
    #expect(spool.recovery.foundQuarantined == 1 && spool.recovery.adopted == 0)
    #expect(try await spool.counts().quarantined == 1)
    #expect(try await spool.item(item.id)?.quarantineReason == .damaged)
    #expect(try await spool.verify().isClean)
    try bytes.write(to: URL(fileURLWithPath: aside + ".jpg"))
    if hasSidecar {
      try await spool.retry(item.id)
      try await expectDelivered(item, spool)
    } else {
      // The right content of the file is unknown.
      await #expect(throws: SpoolError.self) { try await spool.retry(item.id) }
      try await spool.delete(item.id, confirming: item.id)
    }
    await spool.close()
    spool = try await open()
    #expect(spool.recovery.isClean)
    await spool.close()
  }

  @Test func `A check compares the quarantine with its rows`() async throws {
    let spool = try await open()
    let (item, _) = try await quarantined(spool)
    #expect(try await spool.verify().isClean)
    let other = ItemID(boot: 1, sequence: 77, random: 7)
    try write("x", to: directory.spool + "/quarantine/2-\(other).jpg")
    try FileManager.default.removeItem(
      atPath: directory.spool + "/quarantine/\(item.id).jpg")
    let found = try await spool.verify(repair: true)
    #expect(found.findings.map(\.object) == [item.id.description, other.description])
    #expect(found.findings.map(\.isRepaired) == [false, true])
    #expect(try await spool.item(other)?.state == .quarantined)
    #expect(try await spool.verify().findings.map(\.object) == [item.id.description])
    await spool.close()
  }

  @Test func `The removal from the quarantine is durable`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    let (item, _) = try await quarantined(spool)
    try await spool.delete(item.id, confirming: item.id)
    let steps = files.journal.map(\.description)
    let synced = try #require(steps.lastIndex(of: "sync quarantine"))
    let unlinked = Set(steps[..<synced].suffix(2))
    #expect(unlinked == ["unlink \(item.id).jpg", "unlink \(item.id).json"])
    await spool.close()
  }
}
