import Devices
import Foundation
import Testing

@testable import Spool

/// Wall times that are filled in once the clock is known to be right.
struct BootsTests {
  let directory = TestDirectory()
  static let offset: Int64 = 1_795_219_200_000_000_000

  func open(_ boot: String) async throws -> Spool {
    try await Spool.open(
      directory.configuration(),
      environment: SpoolEnvironment(bootID: boot, monotonicNanoseconds: { 9_000_000_000 }))
  }

  /// Makes a picture taken in a boot, at a second of its monotonic clock.
  static func item(
    _ number: Int, boot: String?, trust: WallTrust = .estimated
  ) -> NewItem {
    var item = NewItem.sample(number)
    item.metadata.captured = CaptureTime(
      bootID: boot, monotonicNanoseconds: boot == nil ? nil : Int64(number) * 1_000_000_000,
      wallNanoseconds: 86_400_000_000_000, wallTrust: trust)
    return item
  }

  @Test func `Pictures of a boot get the right time once its clock is right`() async throws {
    var spool = try await open("a")
    let early = try await spool.store(Self.item(1, boot: "a"))
    let known = try await spool.store(Self.item(2, boot: "a", trust: .synchronized))
    let foreign = try await spool.store(Self.item(3, boot: nil, trust: .unknown))
    #expect(try await spool.item(early.id)?.captured.wallTrust == .estimated)
    #expect(try await spool.stats().isClockSynchronized == false)
    try await spool.noteSynchronized(
      wallMinusMonotonicNanoseconds: Self.offset, source: "timesyncd")
    let late = try await spool.store(Self.item(4, boot: "a"))
    await spool.close()
    spool = try await open("b")
    let never = try await spool.store(Self.item(5, boot: "b"))
    for (item, seconds) in [(early, 1), (late, 4)] {
      let record = try #require(try await spool.item(item.id))
      #expect(record.captured.wallTrust == .synchronized)
      #expect(record.captured.wallNanoseconds == Self.offset + Int64(seconds) * 1_000_000_000)
      // The facts known at the time of storing stay, and so does the name.
      #expect(record.metadata.captured.wallTrust == .estimated)
      #expect(record.remoteName == item.remoteName)
      #expect(record.remoteName.hasPrefix("rig-1/1970/01/02/"))
    }
    #expect(try await spool.item(known.id)?.captured.wallNanoseconds == 86_400_000_000_000)
    #expect(try await spool.item(foreign.id)?.captured.wallTrust == .unknown)
    #expect(try await spool.item(never.id)?.captured.wallTrust == .estimated)
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.id == early.id)
    #expect(delivery.captured.wallNanoseconds == Self.offset + 1_000_000_000)
    #expect(delivery.metadata.captured.wallTrust == .estimated)
    let stats = try await spool.stats()
    #expect(stats.boots == 2 && stats.boot == 2 && !stats.isClockSynchronized)
    #expect(stats.oldestWaiting == early.id && stats.oldestWaitingAgeNanoseconds == nil)
    await spool.close()
  }

  @Test(arguments: ["queue.db", "boots.json", "boots.json damaged", "neither"])
  func `The times outlive a lost index and a lost file`(lost: String) async throws {
    var spool = try await open("a")
    let stored = try await spool.store(Self.item(1, boot: "a"))
    try await spool.noteSynchronized(
      wallMinusMonotonicNanoseconds: Self.offset - 1, source: "timesyncd")
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: Self.offset, source: "chrony")
    await spool.close()
    let file = directory.spool + "/boots.json"
    switch lost {
    case "queue.db", "boots.json":
      try FileManager.default.removeItem(atPath: directory.spool + "/" + lost)
    case "neither": break
    default: try write("{\"boots\":[{\"number\":", to: file)
    }
    for boot in ["b", "c"] {
      spool = try await open(boot)
      let captured = try #require(try await spool.item(stored.id)?.captured)
      #expect(captured.wallNanoseconds == Self.offset + 1_000_000_000)
      #expect(captured.wallTrust == .synchronized)
      await spool.close()
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("chrony"))
    }
  }

  @Test func `The newest 64 boots are kept outside the database`() async throws {
    for number in 1...70 {
      let spool = try await open("boot-\(number)")
      try await spool.noteSynchronized(
        wallMinusMonotonicNanoseconds: Int64(number), source: "test")
      await spool.close()
    }
    let history = BootHistory.read(from: directory.spool, files: KernelFileSystem())
    #expect(history.boots.map(\.number) == (7...70).map(Int64.init))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: directory.spool + "/boots.json")
    #expect((attributes[.size] as? Int ?? .max) < 1 << 14)
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    let spool = try await open("boot-71")
    #expect(try await spool.stats().boot == 71)
    #expect(try await spool.stats().boots >= 65)
    await spool.close()
  }

  @Test func `The same time again writes nothing, and an invalid source is refused`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "a"))
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 5, source: "test")
    let before = files.journal
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 5, source: "test")
    #expect(files.journal == before)
    for source in ["", String(repeating: "x", count: 65)] {
      await #expect(throws: SpoolError.self) {
        try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 5, source: source)
      }
    }
    // An impossible instant is ignored.
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: .max, source: "test")
    let stored = try await spool.store(Self.item(1, boot: "a"))
    #expect(try await spool.item(stored.id)?.captured.wallTrust == .estimated)
    await spool.close()
  }

  @Test func `Order never comes from the wall clock`() async throws {
    var ids: [ItemID] = []
    for (number, wall) in [Int64.max, 0, -1, 5, .min].enumerated() {
      let spool = try await open("boot-\(number)")
      var item = NewItem.sample(number)
      item.metadata.captured.wallNanoseconds = wall
      ids.append(try await spool.store(item).id)
      await spool.close()
    }
    let spool = try await open("boot-9")
    var order: [ItemID] = []
    while let delivery = try await spool.nextDelivery() { order.append(delivery.id) }
    #expect(order == ids)
    await spool.close()
  }
}
