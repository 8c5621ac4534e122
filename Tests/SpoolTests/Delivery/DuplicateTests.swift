import Foundation
import Testing

@testable import Spool

/// Exact duplicates are sent once per target.
struct DuplicateTests {
  let directory = TestDirectory()
  static let backup = TargetID(rawValue: "backup")

  func open(
    _ change: (inout SpoolConfiguration) -> Void = { _ in }, files: (any FileSystem)? = nil
  ) async throws -> Spool {
    var environment = SpoolEnvironment(bootID: "b")
    if let files { environment.files = files }
    return try await Spool.open(directory.configuration(change), environment: environment)
  }

  /// Makes the same picture under another press.
  static func again(_ number: Int, press: Int64) -> NewItem {
    var item = NewItem.sample(number)
    item.metadata.pressNumber = press
    return item
  }

  @Test func `A duplicate waits for its original and is done with a copy of its receipt`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files: files)
    let original = try await spool.store(.sample(1))
    let twin = try await spool.store(Self.again(1, press: 77))
    let other = try await spool.store(.sample(2))
    #expect(try await spool.item(twin.id)?.duplicateOf == original.id)
    #expect(try await spool.item(other.id)?.duplicateOf == nil)
    let first = try #require(try await spool.nextDelivery())
    #expect(first.id == original.id)
    // The duplicate is skipped and blocks no other item.
    let second = try #require(try await spool.nextDelivery())
    #expect(second.id == other.id)
    #expect(try await spool.nextDelivery() == nil)
    var receipt = Receipt.sample(first)
    receipt.result = "{\"pages\":3}"
    try await spool.complete(original.id, receipt: receipt)
    let before = files.journal.count
    let events = await spool.events()
    #expect(try await spool.nextDelivery() == nil)
    // The duplicate's row is committed first, and its files are removed then.
    #expect(
      files.journal.dropFirst(before).map(\.description) == [
        "will duplicates(1)", "did duplicates(1)", "unlink \(twin.id).jpg",
        "unlink \(twin.id).json",
      ])
    let record = try #require(try await spool.item(twin.id))
    #expect(record.state == .delivered)
    receipt.isDuplicate = true
    #expect(record.deliveries.first?.receipt == receipt)
    #expect(record.deliveries.first?.attempts == 0)
    #expect(TestDirectory.files(of: twin.id, in: directory.spool) == [])
    try await spool.complete(other.id, receipt: .sample(second))
    #expect(try await spool.counts().delivered == 3)
    await spool.close()
    var seen: [SpoolEvent] = []
    for await event in events { seen.append(event) }
    #expect(
      seen == [.delivered(twin.id), .queue(.primary, QueueState()), .delivered(other.id)])
  }

  @Test func `Duplicates are done for each target separately`() async throws {
    let spool = try await open { $0.targets = [.primary, Self.backup] }
    let original = try await spool.store(.sample(1))
    let twin = try await spool.store(Self.again(1, press: 77))
    let first = try #require(try await spool.nextDelivery())
    try await spool.complete(original.id, receipt: .sample(first))
    #expect(try await spool.nextDelivery() == nil)
    let record = try #require(try await spool.item(twin.id))
    #expect(record.deliveries.map(\.state) == [.pending, .done])
    #expect(record.state == .stored)
    #expect(TestDirectory.files(of: twin.id, in: directory.spool).count == 2)
    let backup = try #require(try await spool.nextDelivery(target: Self.backup))
    #expect(backup.id == original.id)
    #expect(try await spool.nextDelivery(target: Self.backup) == nil)
    try await spool.complete(original.id, receipt: .sample(backup), target: Self.backup)
    #expect(try await spool.nextDelivery(target: Self.backup) == nil)
    #expect(try await spool.item(twin.id)?.state == .delivered)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  /// A later copy names the second picture when the first one is gone.
  @Test func `A duplicate of a duplicate is done together with the first duplicate`() async throws {
    let spool = try await open { $0.targets = [.primary, Self.backup] }
    let original = try await spool.store(.sample(1))
    let twin = try await spool.store(Self.again(1, press: 77))
    let first = try #require(try await spool.nextDelivery())
    try await spool.complete(original.id, receipt: .sample(first))
    try await spool.delete(original.id, confirming: original.id)
    let third = try await spool.store(Self.again(1, press: 78))
    #expect(try await spool.item(third.id)?.duplicateOf == twin.id)
    let other = try await spool.store(.sample(2))
    #expect(try await spool.nextDelivery()?.id == other.id)
    for id in [twin.id, third.id] {
      let delivery = try await spool.item(id)?.deliveries.first { $0.target == .primary }
      #expect(delivery?.state == .done)
      #expect(delivery?.receipt?.isDuplicate == true)
    }
    await spool.close()
  }

  @Test(arguments: ["parked", "quarantined", "evicted", "pruned"])
  func `A duplicate is sent itself when the target does not get the original`(fate: String)
    async throws
  {
    let spool = try await open { $0.historyItems = 0 }
    let original = try await spool.store(.sample(1))
    let twin = try await spool.store(Self.again(1, press: 77))
    let claimed = try #require(try await spool.nextDelivery())
    switch fate {
    case "parked": try await spool.park(original.id, failure: .sample)
    case "quarantined":
      try Data("x".utf8).write(to: URL(fileURLWithPath: original.path))
      _ = try await spool.verifyForDelivery(original.id)
    case "evicted":
      await spool.release(original.id)
      try await spool.delete(original.id, confirming: original.id)
    default:
      await spool.close()
      let sql = """
        DELETE FROM delivery WHERE item = 1; DELETE FROM item WHERE sequence = 1;
        """
      #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
      try FileManager.default.removeItem(atPath: original.path)
      let again = try await open { $0.historyItems = 0 }
      #expect(try await again.nextDelivery()?.id == twin.id)
      await again.close()
      return
    }
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.id == twin.id)
    #expect(claimed.id == original.id)
    try await spool.complete(twin.id, receipt: .sample(delivery))
    #expect(try await spool.item(twin.id)?.deliveries.first?.receipt?.isDuplicate == false)
    await spool.close()
  }

  @Test func `Many duplicates are done in few commits`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files: files)
    let original = try await spool.store(.sample(1))
    for press in 2...100 { _ = try await spool.store(Self.again(1, press: Int64(press))) }
    let last = try await spool.store(.sample(2))
    let first = try #require(try await spool.nextDelivery())
    #expect(try await spool.nextDelivery()?.id == last.id)
    await spool.release(last.id)
    try await spool.complete(original.id, receipt: .sample(first))
    let before = files.journal.count
    #expect(try await spool.nextDelivery()?.id == last.id)
    let commits = files.journal.dropFirst(before).filter {
      if case .didCommit(.duplicates) = $0 { return true }
      return false
    }
    #expect(commits.count == 4)
    #expect(try await spool.counts().delivered == 100)
    #expect(TestDirectory.itemFiles(directory.spool).count == 2)
    await spool.close()
  }

  @Test func `A rebuilt index finds the same originals in any order of the files`()
    async throws
  {
    let spool = try await open()
    var ids: [ItemID] = []
    for press in 1...20 {
      ids.append(try await spool.store(Self.again(press % 3, press: Int64(press))).id)
    }
    let before = try await spool.items(limit: 100).map(\.duplicateOf)
    await spool.close()
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    let again = try await open()
    #expect(again.recovery.adopted == 20)
    #expect(try await again.items(limit: 100).map(\.duplicateOf) == before)
    #expect(before.compactMap(\.self).count == 17)
    #expect(try await again.auditEvents().map(\.kind) == [.rebuilt])
    await again.close()
  }
}
