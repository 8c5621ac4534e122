import Testing

@testable import Spool

/// Rows with values that are possible and wrong, which only the files show.
struct RowDamageTests {
  /// Each value is found at the start, but for the digest, which is compared at the delivery.
  @Test(arguments: [
    "bytes = bytes + 1", "file_extension = 'jpx'",
    "sha256 = X'00000000000000000000000000000000000000000000000000000000000000aa'",
  ])
  func `A picture is not put aside because of a wrong row`(change: String) async throws {
    let directory = TestDirectory()
    var spool = try await directory.open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    let sql = "UPDATE item SET \(change)"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    spool = try await directory.open()
    if spool.recovery.brokenIndex == nil {
      let error = await #expect(throws: SpoolError.self) {
        try await spool.verifyForDelivery(stored.id)
      }
      #expect(error?.code == .indexDamaged)
      await spool.close()
      spool = try await directory.open()
    }
    #expect(spool.recovery.brokenIndex != nil && spool.recovery.adopted == 1)
    let counts = try await spool.counts()
    #expect(counts.stored == 1 && counts.quarantined == 0)
    #expect(try await spool.nextDelivery()?.sha256 == stored.sha256)
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)
    await spool.close()
  }

  @Test func `A check finds a wrong row, too`() async throws {
    let directory = TestDirectory()
    let spool = try await directory.open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    let sql = "UPDATE item SET sha256 = zeroblob(32)"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    let again = try await directory.open()
    let error = await #expect(throws: SpoolError.self) { try await again.verify() }
    #expect(error?.code == .indexDamaged)
    #expect(error?.description.contains("\(stored.id)") == true)
    await again.close()
  }
}
