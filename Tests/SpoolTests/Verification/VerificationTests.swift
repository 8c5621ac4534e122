import Foundation
import Synchronization
import Testing

@testable import Spool

/// The check of every file and every row.
struct VerificationTests {
  let directory = TestDirectory()

  @Test func `A sound spool has no findings, and everything is checked`() async throws {
    let spool = try await directory.open()
    for number in 1...200 { _ = try await spool.store(.sample(number)) }
    for _ in 1...50 {
      let delivery = try #require(try await spool.nextDelivery())
      try await spool.complete(delivery.id, receipt: .sample(delivery))
    }
    let steps = Mutex<[Int64]>([])
    let verification = try await spool.verify { found in
      steps.withLock { $0.append(found.hashedBytes) }
    }
    let hashed = steps.withLock(\.self)
    #expect(Set(hashed).count > 2 && hashed == hashed.sorted())
    #expect(hashed.last == verification.hashedBytes)
    #expect(verification.isClean, "\(verification.findings)")
    #expect(verification.rows == 150 && verification.files == 300)
    #expect(verification.hashedBytes == 150 * 300)
    #expect(try await spool.verify(hash: false).hashedBytes == 0)
    await spool.close()
  }

  /// The rows and the files of the quarantine are compared with one listing each.
  @Test func `A check lists the quarantine once, however many slices its rows take`() async throws {
    let listings = Mutex(0)
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .list(let path) = step, path.hasSuffix("/quarantine") {
        listings.withLock { $0 += 1 }
      }
      return nil
    }
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    let count = 3 * SpoolStorage.rowSlice
    for number in 1...count {
      try FileManager.default.removeItem(atPath: try await spool.store(.sample(number)).path)
    }
    _ = try await spool.verify(repair: true)
    listings.withLock { $0 = 0 }
    #expect(try await spool.verify().rows == count)
    #expect(listings.withLock(\.self) == 2)
    await spool.close()
  }

  /// The faults under an open spool, by name, with the finding and the state after a repair.
  static let faults = [
    "flip", "short", "missing", "no sidecar", "torn sidecar", "orphan", "part",
    "delivered came back", "deleted came back", "foreign", "counters",
  ]

  @Test(arguments: faults)
  func `Each fault is found, left alone without repair, and repaired with it`(
    fault: String
  ) async throws {
    var spool = try await directory.open()
    let item = try await spool.store(.sample(1))
    let good = try await spool.store(.sample(2))
    spool = try await inflict(fault, on: item, spool)
    let before = TestDirectory.itemFiles(directory.spool)
    let found = try await spool.verify()
    #expect(found.findings.count == 1, "\(found.findings)")
    let finding = try #require(found.findings.first)
    #expect(!finding.isRepaired && !finding.problem.isEmpty && !finding.repair.isEmpty)
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    #expect(try await spool.verify() == found)
    let repaired = try await spool.verify(repair: true)
    #expect(repaired.findings.map(\.problem) == found.findings.map(\.problem))
    #expect(repaired.findings.allSatisfy(\.isRepaired) == (fault != "foreign"))
    #expect(try await spool.verify().isClean == (fault != "foreign"))
    let record = try #require(try await spool.item(item.id))
    switch fault {
    case "flip", "short": #expect(record.quarantineReason == .damaged)
    case "missing": #expect(record.quarantineReason == .missing)
    case "no sidecar", "torn sidecar", "orphan", "part", "foreign", "counters":
      #expect(record.state == .stored)
      #expect(TestDirectory.files(of: item.id, in: directory.spool + "/items").count == 2)
    default: #expect(TestDirectory.files(of: item.id, in: directory.spool + "/items").isEmpty)
    }
    #expect(try await spool.counts().stored == (record.state == .stored ? 2 : 1))
    #expect(try await spool.verifyForDelivery(good.id) == .intact)
    await spool.close()
    let again = try await directory.open()
    #expect(again.recovery.isClean, "\(again.recovery)")
    await again.close()
  }

  private func inflict(_ fault: String, on item: StoredItem, _ spool: Spool) async throws -> Spool {
    let manager = FileManager.default
    let sidecar = item.path.replacing(".jpg", with: ".json")
    let shard = (item.path as NSString).deletingLastPathComponent
    let bytes = try #require(manager.contents(atPath: item.path))
    let description = try #require(manager.contents(atPath: sidecar))
    switch fault {
    case "flip":
      var changed = bytes
      changed[3] ^= 1
      try changed.write(to: URL(fileURLWithPath: item.path))
    case "short": try bytes.dropLast().write(to: URL(fileURLWithPath: item.path))
    case "missing": try manager.removeItem(atPath: item.path)
    case "no sidecar": try manager.removeItem(atPath: sidecar)
    case "torn sidecar": try description.prefix(40).write(to: URL(fileURLWithPath: sidecar))
    case "part": try write("x", to: shard + "/.\(item.id).jpg.part")
    case "foreign": try write("x", to: shard + "/notes.txt")
    case "orphan", "counters":
      await spool.close()
      let sql =
        fault == "orphan"
        ? """
        DELETE FROM delivery WHERE item = 1; DELETE FROM item WHERE sequence = 1;
        """ : "UPDATE item_tally SET items = items + 1"
      // The start would repair the missing row. So the files are away during the start, and come
      // back while the spool is open.
      for path in [item.path, sidecar] where fault == "orphan" {
        try manager.removeItem(atPath: path)
      }
      #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
      let again = try await directory.open()
      guard fault == "orphan" else { return again }
      try bytes.write(to: URL(fileURLWithPath: item.path))
      try description.write(to: URL(fileURLWithPath: sidecar))
      return again
    case "delivered came back":
      let delivery = try #require(try await spool.nextDelivery())
      try await spool.complete(delivery.id, receipt: .sample(delivery))
      try description.write(to: URL(fileURLWithPath: sidecar))
    default:
      try write("x", to: item.path)
      _ = try await spool.verifyForDelivery(item.id)
      try await spool.delete(item.id, confirming: item.id)
      try write("x", to: directory.spool + "/quarantine/2-\(item.id).jpg")
    }
    return spool
  }

  /// The rounds are many, as each may go either way.
  ///
  /// A check that blocks storing never takes a step after a picture was stored.
  @Test func `Storing goes on while a long check runs`() async throws {
    let spool = try await directory.open()
    for number in 1...300 { _ = try await spool.store(.sample(number)) }
    var orders: [[String]] = []
    for round in 1...50 where orders.last?.last != "step" {
      let order = Mutexed<[String]>([])
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      async let check: SpoolVerification = {
        defer { begin.finish() }
        return try await spool.verify { _ in
          order.change { $0.append("step") }
          begin.finish()
        }
      }()
      async let store: Void = {
        for await _ in begun {}
        _ = try await spool.store(.sample(1000 + round))
        order.change { $0.append("stored") }
      }()
      let (verification, _) = try await (check, store)
      #expect(verification.isClean, "\(verification.findings)")
      orders.append(order.value)
    }
    #expect(orders.last?.last == "step", "\(orders)")
    await spool.close()
  }

  @Test func `Pages of a state follow each other without gaps`() async throws {
    let spool = try await directory.open()
    var ids: [ItemID] = []
    for number in 1...10 { ids.append(try await spool.store(.sample(number)).id) }
    for _ in 0..<3 { _ = try await spool.nextDelivery() }
    var pages: [[ItemID]] = []
    var before: Int64?
    while true {
      let page = try await spool.items(state: .stored, limit: 3, before: before)
      guard let last = page.last else { break }
      pages.append(page.map(\.id))
      before = last.sequence
    }
    #expect(pages.map(\.count) == [3, 3, 1])
    #expect(pages.flatMap(\.self) == ids[3...].reversed())
    #expect(
      try await spool.items(state: .delivering, limit: 2).map(\.id) == [ids[2], ids[1]])
    #expect(try await spool.items(state: .delivering, limit: 9, before: 2).map(\.id) == [ids[0]])
    #expect(try await spool.items(limit: 4, before: 5).map(\.sequence) == [4, 3, 2, 1])
    await spool.close()
  }

  /// Parked items and running deliveries stand between items that are only stored.
  @Test func `All waiting items are one list, in pages`() async throws {
    let spool = try await directory.open()
    var ids: [ItemID] = []
    for number in 1...6 { ids.append(try await spool.store(.sample(number)).id) }
    let delivered = try #require(try await spool.nextDelivery())
    try await spool.complete(delivered.id, receipt: .sample(delivered))
    let parked = try #require(try await spool.nextDelivery())
    try await spool.park(parked.id, failure: DeliveryFailure(code: "rejected", message: "no"))
    _ = try await spool.nextDelivery()
    let first = try await spool.waitingItems(limit: 3)
    let rest = try await spool.waitingItems(limit: 3, before: first.last?.sequence)
    #expect((first + rest).map(\.id) == ids[1...].reversed())
    #expect(rest.map(\.state) == [.delivering, .parked])
    await spool.close()
  }
}
