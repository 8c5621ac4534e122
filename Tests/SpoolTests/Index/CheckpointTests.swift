import Foundation
import Glibc
import Testing

@testable import Spool

/// The index copies the log back, and learns of failures.
struct CheckpointTests {
  let directory = TestDirectory()

  func open(failingWhile trigger: Trigger) async throws -> (Spool, FaultyFileSystem) {
    let files = FaultyFileSystem(root: directory.spool) { step in
      trigger.isArmed && step == .willCommit(.checkpoint) ? EIO : nil
    }
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
    return (spool, files)
  }

  var logBytes: Int {
    let path = directory.spool + "/queue.db-wal"
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size ?? 0
  }

  @Test func `The log stays short, and its end is found in the database`() async throws {
    let (spool, files) = try await open(failingWhile: Trigger())
    for _ in 0..<600 { _ = try await spool.reservePressNumbers(count: 1) }
    let count = files.journal.count { $0 == .didCommit(.checkpoint) }
    #expect((2...20).contains(count))
    // The log has 256 pages and those of one commit, each with its header.
    #expect((1...300 * 4200).contains(logBytes))
    await spool.close()
    #expect(logBytes == 0)
    let (again, _) = try await open(failingWhile: Trigger())
    #expect(try await again.reservePressNumbers(count: 1).lowerBound == 601)
    await again.close()
  }

  @Test func `A log that cannot be copied back ends the service without a retry`()
    async throws
  {
    let trigger = Trigger()
    let (spool, files) = try await open(failingWhile: trigger)
    let stored = try await spool.store(.sample(1))
    trigger.arm()
    let error = await #expect(throws: SpoolError.self) {
      for _ in 0..<600 { _ = try await spool.reservePressNumbers(count: 1) }
    }
    #expect(error?.code == .failed)
    trigger.disarm()
    let before = files.journal
    await #expect(throws: SpoolError.self) { try await spool.reservePressNumbers(count: 1) }
    await spool.close()
    // Closing does not retry either: the log is left to the next start.
    #expect(files.journal == before)
    #expect(logBytes > 256 * 4096)
    let (again, _) = try await open(failingWhile: trigger)
    #expect(try await again.item(stored.id)?.state == .stored)
    #expect(try await again.reservePressNumbers(count: 1).lowerBound > 30)
    await again.close()
  }

  /// Makes a directory as a killed process leaves it.
  func killed() async throws -> (directory: String, item: StoredItem) {
    let spool = try await directory.open()
    let item = try await spool.store(.sample(1))
    let copy = directory.path + "/killed"
    try FileManager.default.copyItem(atPath: directory.spool, toPath: copy)
    await spool.close()
    #expect(Self.size(copy + "/queue.db-wal") > 0)
    return (copy, item)
  }

  static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// The kernel still serves a log that the old process could not force to the disk.
  @Test func `The log of a killed process is copied into the database before anything else`()
    async throws
  {
    let (copy, item) = try await killed()
    try write("x", to: copy + "/items/\(item.id.shard)/.\(item.id).jpg.part")
    let files = FaultyFileSystem(root: copy)
    let spool = try await Spool.open(
      directory.configuration { $0.directory = copy },
      environment: SpoolEnvironment(files: files, bootID: "c"))
    let changes = files.journal.filter {
      switch $0 {
      case .willCommit, .didCommit, .unlink: true
      default: false
      }
    }
    #expect(changes.prefix(2) == [.willCommit(.checkpoint), .didCommit(.checkpoint)])
    #expect(changes.contains(.didCommit(.boot)))
    // The database alone knows the picture.
    let alone = directory.path + "/alone.db"
    try FileManager.default.copyItem(atPath: copy + "/queue.db", toPath: alone)
    let found = try run("sqlite3", alone, "SELECT id FROM item")
    #expect(found.output == "\(item.id)\n")
    await spool.close()
  }

  @Test func `A log that cannot be copied back ends the start and is left unchanged`()
    async throws
  {
    let (copy, item) = try await killed()
    let log = FileManager.default.contents(atPath: copy + "/queue.db-wal")
    let configuration = directory.configuration { $0.directory = copy }
    let files = FaultyFileSystem(root: copy) { $0 == .willCommit(.checkpoint) ? EIO : nil }
    let error = await #expect(throws: SpoolError.self) {
      try await Spool.open(
        configuration, environment: SpoolEnvironment(files: files, bootID: "b"))
    }
    #expect(error?.code == .failed)
    #expect(!files.journal.contains { if case .didCommit = $0 { true } else { false } })
    #expect(FileManager.default.contents(atPath: copy + "/queue.db-wal") == log)
    let spool = try await Spool.open(configuration, environment: SpoolEnvironment(bootID: "b"))
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }
}
