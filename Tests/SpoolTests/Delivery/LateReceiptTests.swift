import Foundation
import Testing

@testable import Spool

/// Receipts that come after their item has been quarantined.
struct LateReceiptTests {
  let directory = TestDirectory()
  let office = TargetID(rawValue: "office")

  func open(_ targets: TargetID...) async throws -> Spool {
    try await Spool.open(
      directory.configuration { $0.targets = targets }, environment: SpoolEnvironment(bootID: "b"))
  }

  /// Stores and claims a picture, quarantines it, and gives the receipts of these targets.
  func quarantined(
    _ spool: Spool, receiptsOf targets: TargetID...
  ) async throws -> (item: StoredItem, bytes: Data) {
    let item = try await spool.store(.sample(1))
    let bytes = try #require(FileManager.default.contents(atPath: item.path))
    var deliveries: [Delivery] = []
    for target in targets {
      deliveries.append(try #require(try await spool.nextDelivery(target: target)))
    }
    try write("damaged", to: item.path)
    #expect(try await spool.verifyForDelivery(item.id) == .quarantined(.damaged))
    for delivery in deliveries {
      try await spool.complete(item.id, receipt: .sample(delivery), target: delivery.target)
    }
    #expect(try await spool.item(item.id)?.state == .quarantined)
    return (item, bytes)
  }

  func aside(_ item: StoredItem) -> URL {
    URL(fileURLWithPath: directory.spool + "/quarantine/\(item.id).jpg")
  }

  @Test func `A restored item is not sent again to a target that has it`() async throws {
    let spool = try await open(.primary, office)
    let (item, bytes) = try await quarantined(spool, receiptsOf: office)
    #expect(FileManager.default.fileExists(atPath: aside(item).path))
    try bytes.write(to: aside(item))
    try await spool.retry(item.id)
    #expect(try await spool.nextDelivery(target: office) == nil)
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(item.id, receipt: .sample(delivery))
    #expect(try await spool.item(item.id)?.state == .delivered)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  @Test func `An item that every target has stays quarantined through starts and checks`()
    async throws
  {
    var spool = try await open(.primary, office)
    let (item, bytes) = try await quarantined(spool, receiptsOf: .primary, office)
    #expect(try await spool.counts().delivered == 0)
    try bytes.write(to: aside(item))
    let error = await #expect(throws: SpoolError.self) { try await spool.retry(item.id) }
    #expect(error?.code == .notWaiting)
    #expect(try await spool.verify(repair: true).isClean)
    await spool.close()
    // A person puts the file back in its place.
    try bytes.write(to: URL(fileURLWithPath: item.path))
    for _ in 0..<2 {
      spool = try await open(.primary, office)
      #expect(spool.recovery.restored == 0 && spool.recovery.brokenIndex == nil)
      #expect(try await spool.item(item.id)?.state == .quarantined)
      #expect(try await spool.nextDelivery() == nil)
      await spool.close()
    }
    spool = try await open(.primary, office)
    try await spool.delete(item.id, confirming: item.id)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test func `A receipt for other bytes is refused for a quarantined item`() async throws {
    let spool = try await open(.primary)
    let item = try await spool.store(.sample(1))
    let delivery = try #require(try await spool.nextDelivery())
    try write("damaged", to: item.path)
    _ = try await spool.verifyForDelivery(item.id)
    var receipt = Receipt.sample(delivery)
    receipt.sha256 = String(repeating: "0", count: 64)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.complete(item.id, receipt: receipt)
    }
    #expect(error?.code == .invalid)
    await spool.close()
  }
}
