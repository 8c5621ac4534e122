import Devices
import Foundation
import Testing

@testable import Spool

/// The start's work on presses: in flight at the end, of a lost index, of an older version.
struct LedgerRecoveryTests {
  let directory = TestDirectory()

  private var database: String { directory.spool + "/queue.db" }

  private func open(
    boot: String = "b", _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration(change), environment: SpoolEnvironment(bootID: boot))
  }

  private func sql(_ text: String) throws {
    let result = try run("sqlite3", database, text)
    try #require(result.status == 0, "\(result.output)")
  }

  @Test func `A press in flight at the end gets an outcome at the start`() async throws {
    var spool = try await open()
    for number in 1...3 { spool.enter(.sample(Int64(number))) }
    try await spool.writePresses()
    let item = try await spool.store(.sample(2))
    // The picture's own commit is made to look as if it had not set the outcome.
    await spool.close()
    try sql("UPDATE press SET outcome = NULL, items = NULL WHERE number = 2")
    spool = try await open(boot: "c")
    #expect(spool.recovery.settledPresses == 3)
    #expect(
      try await spool.outcomes() == [
        1: .refused("serviceEnded"), 2: .stored([item.id]), 3: .refused("serviceEnded"),
      ])
    let counts = try await spool.pressCounts().counts
    #expect(counts.map(\.kept) == [2, 1])
    #expect(counts.map(\.reason) == ["serviceEnded", nil])
    await spool.close()
    spool = try await open(boot: "c")
    #expect(spool.recovery.isClean)
    await spool.close()
  }

  @Test func `A lost index gets the stored presses back from the sidecars`() async throws {
    var spool = try await open()
    var item = NewItem.sample(4)
    item.metadata.pressSource = .button
    item.metadata.pressGesture = .double
    item.metadata.pressButton = "pedal"
    item.metadata.pressMonotonicNanoseconds = 3_900_000_000
    item.metadata.selectionErrorNanoseconds = 100_000_000
    item.metadata.captureAngle = 90
    item.metadata.frameSequence = 12
    spool.enter(.sample(5, .refused("storageFull")))
    let stored = try await spool.store(item)
    let quarantined = try await spool.store(.sample(6))
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: quarantined.path))
    let delivery = try #require(try await spool.nextDelivery())
    await spool.release(delivery.id)
    _ = try await spool.verifyForDelivery(quarantined.id)
    await spool.close()
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
    }
    spool = try await open()
    let entry = try #require(try await spool.press(4))
    #expect(entry.outcome == .stored([stored.id]))
    #expect(entry.gesture == .double && entry.button == "pedal" && entry.source == .button)
    #expect(entry.readiness == nil && entry.captureAngle == 90 && entry.frame == 12)
    #expect(entry.time.monotonicNanoseconds == 3_900_000_000)
    // The time is the exposure's wall clock, less the time between press and exposure.
    let pressed: Int64 = 1_795_219_200_000_000_004 - 100_000_000
    #expect(entry.time.wallNanoseconds == pressed)
    #expect(try await spool.press(6)?.outcome == .stored([quarantined.id]))
    #expect(try await spool.press(5) == nil)
    await spool.close()
  }

  /// The disk was full for the row, and a power cut has brought the removed files back.
  @Test func `The press of a picture that is there after all counts as stored`() async throws {
    var spool = try await open()
    let item = try await spool.store(.sample(8))
    await spool.close()
    try sql(
      """
      DELETE FROM delivery; DELETE FROM item;
      UPDATE press SET outcome = 'refused', reason = 'storageFull', items = NULL;
      """)
    spool = try await open()
    #expect(spool.recovery.adopted == 1)
    #expect(try await spool.press(8)?.outcome == .stored([item.id]))
    await spool.close()
  }

  @Test func `A picture of another boot does not change a press of the same number`() async throws {
    var spool = try await open()
    _ = try await spool.store(.sample(8))
    await spool.close()
    try sql(
      """
      DELETE FROM delivery; DELETE FROM item;
      UPDATE press SET outcome = 'refused', reason = 'storageFull', items = NULL, boot_id = 'z';
      """)
    spool = try await open()
    #expect(spool.recovery.adopted == 1)
    #expect(try await spool.press(8)?.outcome == .refused("storageFull"))
    await spool.close()
  }

  @Test(arguments: [Int64.min, .max, 0])
  func `Sidecars with absurd times are adopted`(value: Int64) async throws {
    var spool = try await open()
    var item = NewItem.sample(1)
    item.metadata.pressMonotonicNanoseconds = value
    item.metadata.captured.monotonicNanoseconds = value == .max ? .min : .max
    item.metadata.captured.wallNanoseconds = value
    item.metadata.pressButton = String(repeating: "x", count: 5000)
    let stored = try await spool.store(item)
    await spool.close()
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
    }
    spool = try await open()
    let entry = try #require(try await spool.press(1))
    #expect(entry.outcome == .stored([stored.id]) && entry.button?.count == 64)
    await spool.close()
  }

  /// Makes a spool whose database is of version 2, as the service before the ledger left it.
  private func makeVersion2(pictures: Int) async throws -> [StoredItem] {
    let spool = try await open()
    var items: [StoredItem] = []
    for number in 1...pictures { items.append(try await spool.store(.sample(number))) }
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    await spool.close()
    try sql(
      """
      DROP TABLE press; DROP TABLE press_tally; DROP TABLE lost_edges;
      DELETE FROM meta WHERE key IN ('lost_presses', 'lost_edges');
      UPDATE meta SET value = 2 WHERE key = 'schema_version';
      """)
    return items
  }

  private func expectMigrated(_ spool: Spool, _ items: [StoredItem]) async throws {
    let entries = try await spool.presses(PressQuery(limit: 100))
    #expect(entries.map(\.outcome) == items.reversed().map { .stored([$0.id]) })
    #expect(entries.map(\.number) == Array(1...Int64(items.count)).reversed())
    let counts = try await spool.counts()
    #expect(counts.stored == items.count - 1 && counts.delivered == 1)
    #expect(try await spool.verify().isClean)
    #expect(try await spool.auditEvents().isEmpty)
  }

  @Test func `A database of version 2 is migrated with its pictures' presses`() async throws {
    let items = try await makeVersion2(pictures: 3)
    var spool = try await open()
    #expect(spool.recovery.isClean)
    try await expectMigrated(spool, items)
    await spool.close()
    spool = try await open()
    try await expectMigrated(spool, items)
    await spool.close()
    let check = "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT value FROM meta LIMIT 1"
    #expect(try run("sqlite3", database, check).output == "ok\n6\n")
    #expect(!FileManager.default.fileExists(atPath: database + ".broken"))
  }

  @Test func `words of a later version leave the ledger readable`() async throws {
    var spool = try await open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    try sql(
      """
      UPDATE press SET source = 'voice', gesture = 'clap', readiness = 'asleep',
        adjusting = 'focus zoom';
      """)
    spool = try await open()
    let entry = try #require(try await spool.press(1))
    #expect(entry.outcome == .stored([item.id]) && entry.source == .unknown)
    #expect(entry.gesture == nil && entry.readiness == nil && entry.adjusting == [.focus])
    await spool.close()
  }

  @Test(arguments: [["bracket"], ["bracket", "warnings"], ["bracket", "warnings", "adjusting"]])
  func `A database of version 5, 4 or 3 keeps its ledger`(missing: [String]) async throws {
    var spool = try await open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    try sql(
      """
      \(missing.map { "ALTER TABLE press DROP COLUMN \($0);" }.joined(separator: "\n"))
      UPDATE press SET readiness = 'ready';
      UPDATE meta SET value = \(6 - missing.count) WHERE key = 'schema_version';
      """)
    for _ in 0..<2 {
      spool = try await open()
      #expect(spool.recovery.isClean)
      let entry = try #require(try await spool.press(1))
      #expect(entry.outcome == .stored([item.id]) && entry.readiness == .ready)
      #expect(entry.adjusting == nil && entry.warnings == nil && entry.bracket == nil)
      #expect(try await spool.verify().isClean)
      await spool.close()
    }
    #expect(!FileManager.default.fileExists(atPath: database + ".broken"))
  }

  @Test func `A rebuild enters only as many presses as the ledger holds`() async throws {
    let items = try await makeVersion2(pictures: 5)
    let spool = try await open { $0.ledgerPresses = 2 }
    let entries = try await spool.presses(PressQuery(limit: 100))
    #expect(entries.map(\.number) == [5, 4])
    #expect(entries[0].outcome == .stored([items[4].id]))
    await spool.close()
  }

  @Test func `A database of version 2 with other tables is put aside and rebuilt`() async throws {
    _ = try await makeVersion2(pictures: 3)
    try sql("CREATE TABLE press (number INTEGER PRIMARY KEY)")
    let spool = try await open()
    #expect(spool.recovery.brokenIndex?.contains("tables") == true)
    // The delivered one has left nothing behind.
    #expect(try await spool.outcomes().keys.sorted() == [2, 3])
    await spool.close()
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash during the migration leaves the old or the new database`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    let points = try await crash.atEachPointOfStart {
      let scene = LedgerRecoveryTests()
      let items = try await scene.makeVersion2(pictures: 3)
      return (scene.directory, { try await scene.expectMigrated($0, items) })
    }
    #expect(points >= 2)
  }
}
