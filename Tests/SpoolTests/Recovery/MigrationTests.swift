import Foundation
import Testing

@testable import Spool

/// A database that an older version has written, and its migration.
struct MigrationTests {
  let directory = TestDirectory()

  var database: String { directory.spool + "/queue.db" }

  /// Makes a spool whose database is of version 1.
  ///
  /// One picture waits, one is delivered, one is in the quarantine, and one waits for two targets.
  func makeVersion1() async throws -> (waiting: StoredItem, both: StoredItem) {
    let spool = try await directory.open()
    let waiting = try await spool.store(.sample(1))
    let both = try await spool.store(.sample(2))
    await spool.close()
    try FileManager.default.removeItem(atPath: database)
    // The statements are from the sources of version 1, except for the values.
    let insert = """
      INSERT INTO item (sequence, id, press_number, file_extension, bytes, sha256, remote_name,
        metadata, state, quarantine_reason) VALUES
      """
    let sql = """
      PRAGMA journal_mode = WAL;
      CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT;
      CREATE TABLE boot (number INTEGER PRIMARY KEY, boot_id TEXT NOT NULL UNIQUE) STRICT;
      \(Self.itemTable);
      CREATE INDEX item_press ON item (press_number) WHERE press_number IS NOT NULL;
      CREATE INDEX item_state ON item (state, bytes);
      \(Self.deliveryTable);
      CREATE INDEX delivery_pending ON delivery (target, item) WHERE state = 'pending';
      INSERT INTO meta VALUES ('schema_version', 1), ('last_sequence', 40), ('last_press', 77);
      INSERT INTO boot VALUES (1, 'b');
      \(insert) \(values(waiting, 1)), \(values(both, 2));
      \(insert) (30, '000001-0000000030-00000000000000aa', 30, 'jpg', 10, x'\(Self.hash("a"))', 'r/30',
        '{}', 'delivered', NULL);
      \(insert) (31, '000001-0000000031-00000000000000aa', 31, 'jpg', 11, x'\(Self.hash("b"))', 'r/31',
        '{}', 'quarantined', 'damaged');
      INSERT INTO delivery VALUES (1, 'primary', 'pending', 3,
        '{"code":"refused","message":"no","httpStatus":503}', NULL);
      INSERT INTO delivery VALUES (2, 'primary', 'done', 0, NULL,
        '{"url":"u","remoteName":"n","sha256":"s","httpStatus":201,"isDuplicate":false,"wallNanoseconds":5}');
      INSERT INTO delivery VALUES (2, 'backup', 'pending', 0, NULL, NULL);
      INSERT INTO delivery VALUES (30, 'primary', 'done', 0, NULL,
        '{"url":"u","remoteName":"n","sha256":"s","httpStatus":201,"isDuplicate":true,"wallNanoseconds":5}');
      INSERT INTO delivery VALUES (31, 'primary', 'quarantined', 0, NULL, NULL);
      """
    let result = try run("sqlite3", database, sql)
    try #require(result.status == 0, "\(result.output)")
    try write(
      "damaged", to: directory.spool + "/quarantine/000001-0000000031-00000000000000aa.jpg")
    return (waiting, both)
  }

  private func values(_ item: StoredItem, _ number: Int) -> String {
    let metadata = String(
      decoding: (try? SpoolJSON.encode(NewItem.sample(number).metadata)) ?? Data(), as: UTF8.self)
    return """
      (\(number), '\(item.id)', \(number), 'jpg', \(item.byteCount), x'\(item.sha256)',
        '\(item.remoteName)', '\(metadata)', 'stored', NULL)
      """
  }

  private static func hash(_ digit: Character) -> String { String(repeating: digit, count: 64) }

  static let itemTable = """
    CREATE TABLE item (
      sequence INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      press_number INTEGER,
      file_extension TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      sha256 BLOB NOT NULL,
      remote_name TEXT NOT NULL,
      metadata TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('stored', 'delivered', 'quarantined')),
      quarantine_reason TEXT
    ) STRICT
    """
  static let deliveryTable = """
    CREATE TABLE delivery (
      item INTEGER NOT NULL REFERENCES item (sequence),
      target TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'quarantined')),
      attempts INTEGER NOT NULL,
      last_failure TEXT,
      receipt TEXT,
      PRIMARY KEY (item, target),
      CHECK ((state = 'done') = (receipt IS NOT NULL))
    ) STRICT, WITHOUT ROWID
    """

  func expectMigrated(
    _ spool: Spool, _ waiting: StoredItem, _ both: StoredItem
  ) async throws {
    let items = try await spool.items(limit: 10)
    #expect(items.map(\.sequence) == [31, 30, 2, 1])
    #expect(items.map(\.state) == [.quarantined, .purged, .stored, .stored])
    #expect(items[0].quarantineReason == .damaged)
    #expect(items[1].deliveries.first?.receipt?.isDuplicate == true)
    #expect(items[1].deliveries.first?.receipt?.result == nil)
    #expect(items[2].deliveries.map(\.state) == [.pending, .done])
    #expect(items[3].deliveries.first?.attempts == 3)
    #expect(items[3].deliveries.first?.lastFailure?.httpStatus == 503)
    #expect(items[3].metadata == NewItem.sample(1).metadata)
    let counts = try await spool.counts()
    #expect(counts.stored == 2 && counts.delivered == 1 && counts.quarantined == 1)
    #expect(counts.bytesWaiting == 600)
    #expect(try await spool.verify().isClean)
  }

  @Test func `A database of version 1 is migrated with all its content`() async throws {
    let (waiting, both) = try await makeVersion1()
    let configuration = directory.configuration {
      $0.targets = [.primary, TargetID(rawValue: "backup")]
    }
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    #expect(spool.recovery.isClean)
    try await expectMigrated(spool, waiting, both)
    let next = try #require(try await spool.nextDelivery())
    #expect(next.id == waiting.id && next.attempts == 3 && next.itemFailures == 0)
    try await spool.complete(next.id, receipt: .sample(next))
    // The numbers continue.
    let sequence = try await spool.store(.sample(9)).id.sequence
    #expect(sequence > 40)
    #expect(try await spool.reservePressNumbers(count: 1).lowerBound >= 78)
    await spool.close()
    let check = "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT value FROM meta LIMIT 1"
    #expect(try run("sqlite3", database, check).output == "ok\n6\n")
    #expect(!FileManager.default.fileExists(atPath: database + ".broken"))
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash during the migration leaves the old or the new database`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    let points = try await crash.atEachPointOfStart {
      let scene = MigrationTests()
      let (waiting, both) = try await scene.makeVersion1()
      return (scene.directory, { try await expectMigrated($0, waiting, both) })
    }
    #expect(points >= 4)
  }

  @Test func `A database of version 1 with other tables is put aside and rebuilt`() async throws {
    _ = try await makeVersion1()
    #expect(try run("sqlite3", database, "ALTER TABLE item ADD COLUMN x TEXT").status == 0)
    let spool = try await directory.open()
    #expect(spool.recovery.brokenIndex?.contains("tables") == true)
    #expect(spool.recovery.adopted == 2)
    #expect(try await spool.auditEvents().map(\.kind) == [.quarantined, .rebuilt])
    await spool.close()
  }
}
