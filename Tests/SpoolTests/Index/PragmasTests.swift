import Foundation
import GRDB
import Testing

@testable import Spool

struct PragmasTests {
  @Test func `The open index has the settings that durability needs`() throws {
    let directory = TestDirectory()
    let index = try ItemIndex(path: directory.path + "/queue.db", files: KernelFileSystem())
    let pragmas = try index.pragmas()
    #expect(pragmas.journalMode == "wal")
    #expect(pragmas.synchronous == 2)
    #expect(pragmas.lockingMode == "exclusive")
    #expect(pragmas.walAutocheckpoint == 0)
    #expect(pragmas.foreignKeys)
    #expect(pragmas == .required)
    // The log's index is in memory, so there is nothing for another process to map.
    #expect(FileManager.default.fileExists(atPath: directory.path + "/queue.db-wal"))
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/queue.db-shm"))
    try index.close()
  }

  /// The trap: GRDB sets `synchronous = NORMAL` after its own WAL set-up.
  @Test func `The settings that GRDB makes by itself are overridden`() throws {
    let directory = TestDirectory()
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let queue = try DatabaseQueue(path: directory.path + "/x.db", configuration: configuration)
    let pragmas = try queue.writeWithoutTransaction { try Pragmas.read($0) }
    #expect(pragmas.synchronous == 1)
    #expect(pragmas != .required)
  }

  /// The referee is another program, which reads a copy.
  @Test func `The sqlite3 program finds a sound database in WAL mode`() async throws {
    let directory = TestDirectory()
    let spool = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    let stored = try await spool.store(.sample(9))
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: directory.spool + "/queue.db" + suffix,
        toPath: directory.path + "/copy.db" + suffix)
    }
    await spool.close()
    let result = try run(
      "sqlite3", directory.path + "/copy.db",
      """
      PRAGMA journal_mode; PRAGMA integrity_check; PRAGMA foreign_key_check;
      SELECT id, press_number, bytes, lower(hex(sha256)), item.state, delivery.state, target
      FROM item JOIN delivery ON delivery.item = item.sequence;
      """)
    #expect(
      result.output == """
        wal
        ok
        \(stored.id)|9|300|\(stored.sha256)|stored|pending|primary

        """)
  }
}
