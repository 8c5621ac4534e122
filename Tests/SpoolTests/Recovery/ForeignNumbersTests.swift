import Foundation
import Testing

@testable import Spool

/// Numbers in file names and files that are larger than any that a spool reaches.
struct ForeignNumbersTests {
  let directory = TestDirectory()

  /// Expects that the spool works and gives out small numbers, also after the next start.
  func expectSmallNumbers() async throws {
    for _ in 0..<2 {
      let spool = try await directory.open()
      let item = try await spool.store(.sample(5))
      #expect(ItemID(item.id.description) == item.id && item.id.sequence < 10)
      #expect(try await spool.reservePressNumbers(count: 1).lowerBound < 10_000)
      #expect(try await spool.counts().stored > 0)
      await spool.close()
    }
  }

  @Test(arguments: ["boot", "sequence"], [true, false])
  func `A file with a too large number in its name is not ours`(
    number: String, isIndexLost: Bool
  ) async throws {
    var spool = try await directory.open()
    await spool.close()
    let id = ItemID(
      boot: number == "boot" ? ItemID.numberLimit : 1,
      sequence: number == "sequence" ? ItemID.numberLimit : 1, random: 0x42)
    let shard = directory.spool + "/items/42"
    try FileManager.default.createDirectory(atPath: shard, withIntermediateDirectories: true)
    try write("x", to: shard + "/\(id).jpg")
    try write("x", to: directory.spool + "/quarantine/\(id).jpg")
    if isIndexLost {
      for name in ["queue.db", "numbers.json"] {
        try FileManager.default.removeItem(atPath: directory.spool + "/" + name)
      }
    }
    spool = try await directory.open()
    #expect(spool.recovery.foreign == 1 && spool.recovery.adopted == 0)
    #expect(try await spool.items(limit: 10) == [])
    await spool.close()
    try await expectSmallNumbers()
    #expect(FileManager.default.fileExists(atPath: shard + "/\(id).jpg"))
  }

  @Test(arguments: ["pressNumber", "bytes", "monotonicNanoseconds"], [Int64.max, .min])
  func `A sidecar with a too large number is adopted without the number`(key: String, number: Int64)
    async throws
  {
    var spool = try await directory.open()
    var items: [StoredItem] = []
    for number in 1...2 { items.append(try await spool.store(.sample(number))) }
    await spool.close()
    for item in items {
      let path = item.path.replacing(".jpg", with: ".json")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let changed = text.replacing(try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(number)")
      #expect(changed != text)
      try write(changed, to: path)
    }
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    spool = try await directory.open()
    #expect(spool.recovery.adopted == 2)
    #expect(try await spool.stats().oldestWaiting == items[0].id)
    await spool.close()
    // The numbers continue from the bounds of the lost database.
    spool = try await directory.open()
    let range = try await spool.reservePressNumbers(count: 1)
    #expect((1...5000).contains(range.lowerBound))
    #expect(try await spool.store(.sample(9)).id.sequence < 5000)
    await spool.close()
  }

  @Test func `Bounds with a too large number are ignored`() async throws {
    var spool = try await directory.open()
    await spool.close()
    for key in ["sequence", "press", "boot"] {
      let path = directory.spool + "/numbers.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try write(
        text.replacing(try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(Int64.max)"), to: path)
      spool = try await directory.open()
      #expect(try await spool.reservePressNumbers(count: 1).lowerBound < 10_000)
      await spool.close()
    }
  }

  @Test func `A database with a too large number is rebuilt`() async throws {
    var spool = try await directory.open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    let sql = "UPDATE item SET press_number = 9223372036854775807"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    spool = try await directory.open()
    #expect(spool.recovery.brokenIndex != nil && spool.recovery.adopted == 1)
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }

  @Test(arguments: [true, false])
  func `The item after the largest countable number is ours`(
    isIndexLost: Bool
  ) async throws {
    var spool = try await directory.open()
    await spool.close()
    let stray = ItemID(boot: 1, sequence: ItemID.countableLimit, random: 0x42)
    let shard = directory.spool + "/items/42"
    try FileManager.default.createDirectory(atPath: shard, withIntermediateDirectories: true)
    try write("x", to: shard + "/\(stray).jpg")
    spool = try await directory.open()
    #expect(spool.recovery.adopted == 1)
    let item = try await spool.store(.sample(1))
    #expect(item.id.sequence == ItemID.countableLimit + 1)
    await spool.close()
    if isIndexLost {
      try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    }
    for number in 1...2 {
      spool = try await directory.open()
      #expect(spool.recovery.foreign == 0 && spool.recovery.brokenIndex == nil)
      #expect(spool.recovery.adopted == (isIndexLost && number == 1 ? 2 : 0))
      #expect(try await spool.items(state: .stored, limit: 10).map(\.id) == [item.id, stray])
      #expect(try await spool.verify().isClean)
      await spool.close()
    }
  }
}
