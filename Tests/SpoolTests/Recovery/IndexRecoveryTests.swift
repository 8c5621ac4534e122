import Foundation
import TestSupport
import Testing

@testable import Spool

/// A database that is newer, damaged, foreign or missing.
struct IndexRecoveryTests {
  let directory = TestDirectory()

  func open(boot: String = "b") async throws -> Spool {
    try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(bootID: boot))
  }

  /// Stores two waiting pictures and a delivered one, and reserves ten press numbers.
  func fill() async throws -> [StoredItem] {
    let spool = try await open()
    let delivered = try await spool.store(.sample(1))
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivered.id, receipt: .sample(delivery))
    let waiting = [try await spool.store(.sample(2)), try await spool.store(.sample(3))]
    _ = try await spool.reservePressNumbers(count: 10)
    await spool.close()
    return waiting
  }

  var database: String { directory.spool + "/queue.db" }

  @Test func `A database with a newer schema is refused and left unchanged`() async throws {
    _ = try await fill()
    let update =
      "UPDATE meta SET value = 7 WHERE key = 'schema_version'; ALTER TABLE item ADD COLUMN x TEXT"
    #expect(try run("sqlite3", database, update).status == 0)
    // An old version would remove this file.
    let part = directory.spool + "/items/00"
    try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
    let id = ItemID(boot: 1, sequence: 99, random: 0)
    try write("x", to: part + "/.\(id).jpg.part")
    let files = TestDirectory.itemFiles(directory.spool)
    let rows = try run("sqlite3", database, ".dump").output
    for _ in 0..<2 {
      let error = await #expect(throws: SpoolError.self) { _ = try await open() }
      #expect(error?.code == .newerSchema)
    }
    #expect(TestDirectory.itemFiles(directory.spool) == files)
    #expect(try run("sqlite3", database, ".dump").output == rows)
    #expect(!FileManager.default.fileExists(atPath: database + ".broken"))
  }

  /// The ways to lose a database, as changes of its bytes; `nil` removes it.
  static let faults: [(name: String, change: @Sendable (Data) -> Data?)] = [
    ("missing", { _ in nil }),
    ("empty", { _ in Data() }),
    ("no database", { _ in Data(repeating: 0x55, count: 5000) }),
    ("first page zeroed", { Data(repeating: 0, count: 4096) + $0.dropFirst(4096) }),
    ("all zero", { Data(repeating: 0, count: $0.count) }),
    ("cut off", { $0.prefix(4096 + 100) }),
    ("half", { $0.prefix($0.count / 2) }),
    (
      "pages of noise",
      { data in
        var random = TestSeed.generator()
        return data.prefix(4096)
          + Data((4096..<data.count).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    ),
  ]

  @Test(arguments: faults.map(\.name))
  func `A lost database is rebuilt from the files`(name: String) async throws {
    let waiting = try await fill()
    let fault = try #require(Self.faults.first { $0.name == name })
    let bytes = try #require(FileManager.default.contents(atPath: database))
    if let changed = fault.change(bytes) {
      try changed.write(to: URL(fileURLWithPath: database))
    } else {
      try FileManager.default.removeItem(atPath: database)
    }
    let spool = try await open(boot: "c")
    #expect(spool.recovery.rebuiltIndex)
    #expect(spool.recovery.adopted == 2)
    #expect(spool.recovery.adoptedWithoutSidecar == 0)
    let isKept = name != "missing" && name != "empty"
    #expect((spool.recovery.brokenIndex != nil) == isKept)
    #expect(FileManager.default.fileExists(atPath: database + ".broken") == isKept)
    #expect(try await spool.counts().stored == 2)
    for item in waiting {
      let delivery = try #require(try await spool.nextDelivery())
      #expect(delivery.id == item.id)
      #expect(delivery.remoteName == item.remoteName)
      #expect(delivery.sha256 == item.sha256)
      #expect(delivery.metadata.orientation == 6)
      #expect(try await spool.verifyForDelivery(item.id) == .intact)
    }
    // Numbers that only the lost database knew are not given out again.
    #expect(try await spool.reservePressNumbers(count: 1).lowerBound > 10)
    let next = try await spool.store(.sample(4))
    #expect(next.id.sequence > 3)
    #expect(next.id.boot == 2)
    await spool.close()
    let again = try await open(boot: "c")
    #expect(again.recovery.isClean)
    #expect(!again.recovery.rebuiltIndex)
    #expect(try await again.counts().stored == 3)
    await again.close()
  }

  @Test func `The same boot keeps its number when the database is lost`() async throws {
    _ = try await fill()
    try FileManager.default.removeItem(atPath: database)
    let spool = try await open()
    #expect(try await spool.store(.sample(4)).id.boot == 1)
    await spool.close()
  }

  @Test func `A database with foreign tables is put aside`() async throws {
    _ = try await fill()
    try FileManager.default.removeItem(atPath: database)
    #expect(try run("sqlite3", database, "CREATE TABLE item (a); CREATE TABLE b (c)").status == 0)
    let spool = try await open()
    #expect(spool.recovery.brokenIndex?.contains("tables") == true)
    #expect(try await spool.counts().stored == 2)
    await spool.close()
    #expect(try run("sqlite3", database + ".broken", ".tables").output.contains("b"))
  }

  @Test func `A database that contradicts itself is rebuilt once`()
    async throws
  {
    let waiting = try await fill()
    // The index is of other columns: quick_check counts its entries and does not compare them.
    let sql = """
      DROP INDEX item_state; CREATE INDEX item_state ON item (bytes);
      PRAGMA writable_schema = ON; UPDATE sqlite_master SET
      sql = 'CREATE INDEX item_state ON item (state)' WHERE name = 'item_state';
      """
    #expect(try run("sqlite3", "-cmd", ".dbconfig defensive off", database, sql).status == 0)
    #expect(try run("sqlite3", database, "PRAGMA quick_check").output == "ok\n")
    let spool = try await open()
    #expect(spool.recovery.brokenIndex?.contains("contradicted") == true)
    #expect(spool.recovery.adopted == 2)
    #expect(try await spool.nextDelivery()?.id == waiting[0].id)
    #expect(try await spool.reservePressNumbers(count: 1).lowerBound > 10)
    await spool.close()
    #expect(!FileManager.default.fileExists(atPath: database + ".distrusted"))
    let again = try await open()
    #expect(again.recovery.isClean)
    await again.close()
  }

  @Test func `A database that failed in the last run is put aside`() async throws {
    _ = try await fill()
    try write("", to: database + ".distrusted")
    for expected in [2, 0] {
      let spool = try await open()
      #expect(spool.recovery.adopted == expected)
      #expect(try await spool.counts().stored == 2)
      await spool.close()
    }
  }

  @Test func `Only the latest broken database is kept`() async throws {
    _ = try await fill()
    for text in ["first", "second"] {
      try Data(String(repeating: text, count: 1000).utf8).write(
        to: URL(fileURLWithPath: database))
      let spool = try await open()
      await spool.close()
    }
    let broken = FileManager.default.contents(atPath: database + ".broken")
    #expect(broken?.starts(with: Data("second".utf8)) == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.spool)
    #expect(names.filter { $0.contains("broken") } == ["queue.db.broken"])
  }

  @Test func `A log without its database is not replayed into a new one`() async throws {
    let spool = try await open()
    _ = try await spool.store(.sample(1))
    // The process dies: the log stays.
    let copy = directory.path + "/copy"
    try FileManager.default.copyItem(atPath: directory.spool, toPath: copy)
    await spool.close()
    try FileManager.default.removeItem(atPath: copy + "/queue.db")
    let again = try await Spool.open(
      directory.configuration { $0.directory = copy }, environment: SpoolEnvironment(bootID: "b"))
    #expect(again.recovery.adopted == 1)
    #expect(try await again.counts().stored == 1)
    #expect(FileManager.default.fileExists(atPath: copy + "/queue.db.broken-wal"))
    await again.close()
  }

  @Test func `A crash while a database is rebuilt loses nothing`() async throws {
    let waiting = try await fill()
    try Data(repeating: 0x55, count: 9000).write(to: URL(fileURLWithPath: database))
    try Data("log".utf8).write(to: URL(fileURLWithPath: database + "-wal"))
    var points = 0
    while true {
      let middle = directory.path + "/middle-\(points)"
      let survivor = directory.path + "/survivor-\(points)"
      try FileManager.default.copyItem(atPath: directory.spool, toPath: middle)
      let files = FaultyFileSystem(root: middle, crashAt: points, survivor: survivor)
      let spool = try? await Spool.open(
        directory.configuration { $0.directory = middle },
        environment: SpoolEnvironment(files: files, bootID: "c"))
      await spool?.close()
      guard files.hasCrashed else { break }
      points += 1
      let configuration = directory.configuration { $0.directory = survivor }
      for _ in 0..<2 {
        let again = try await Spool.open(
          configuration, environment: SpoolEnvironment(bootID: "d"))
        var found: [ItemID] = []
        while let delivery = try await again.nextDelivery() {
          #expect(try await again.verifyForDelivery(delivery.id) == .intact)
          found.append(delivery.id)
        }
        #expect(found == waiting.map(\.id), "crash at step \(points)")
        #expect(try await again.reservePressNumbers(count: 1).lowerBound > 10)
        await again.close()
      }
    }
    #expect(points > 15)
  }
}
