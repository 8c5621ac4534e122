import Foundation
import Glibc
import Testing

@testable import Spool

/// Quarantined pictures whose files are in their place again at a start.
struct RestorationTests {
  let directory = TestDirectory()

  func open(
    fault: @escaping @Sendable (FaultyFileSystem.Step) -> Int32? = { _ in nil }
  ) async throws -> Spool {
    let files = FaultyFileSystem(root: directory.spool, fault: fault)
    return try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  /// Makes a closed spool with one picture in `items`, whose row is quarantined.
  func quarantined(_ reason: QuarantineReason) async throws -> StoredItem {
    let spool = try await open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    let index = try ItemIndex(path: directory.spool + "/queue.db", files: KernelFileSystem())
    try index.quarantine(item.id, reason)
    try index.close()
    return item
  }

  /// Goes through the files once more, as a start does.
  func recover(_ change: (inout Recovery) -> Void = { _ in }) throws -> RecoveryReport {
    let files = KernelFileSystem()
    let index = try ItemIndex(path: directory.spool + "/queue.db", files: files)
    let itemFiles = ItemFiles(layout: SpoolLayout(root: directory.spool), files: files)
    var recovery = Recovery(
      itemFiles: itemFiles, index: index, configuration: directory.configuration())
    change(&recovery)
    try recovery.run()
    let report = recovery.report
    try index.close()
    return report
  }

  @Test(arguments: [QuarantineReason.missing, .unreadable])
  func `A file that was not damaged is put back, however much has been hashed`(
    reason: QuarantineReason
  ) async throws {
    let item = try await quarantined(reason)
    let report = try recover { $0.hashedBytes = Recovery.hashedBytesLimit }
    #expect(report.restored == 1)
    let spool = try await open()
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }

  @Test func `A file that there is no time to hash is left in its place`() async throws {
    let item = try await quarantined(.damaged)
    let report = try recover { $0.hashedBytes = Recovery.hashedBytesLimit }
    #expect(report.restored == 0)
    #expect(FileManager.default.fileExists(atPath: item.path))
    #expect(try recover().restored == 1)
    let spool = try await open()
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }

  @Test func `A full disk leaves a file in its place unless nothing has to be written`()
    async throws
  {
    let item = try await quarantined(.missing)
    let sidecar = item.path.replacing(".jpg", with: ".json")
    let isFull: @Sendable (FaultyFileSystem.Step) -> Int32? = { step in
      switch step {
      case .create(let path), .write(let path): path.contains("/items/") ? ENOSPC : nil
      default: nil
      }
    }
    try write("{}", to: sidecar)
    var spool = try await open(fault: isFull)
    #expect(spool.recovery.restored == 0)
    #expect(try await spool.item(item.id)?.state == .quarantined)
    #expect(FileManager.default.fileExists(atPath: item.path))
    await spool.close()
    // The commit finds no room, either.
    spool = try await open { $0 == .willCommit(.restore(item.id)) ? ENOSPC : nil }
    #expect(spool.recovery.restored == 0)
    await spool.close()
    // The sidecar is now right.
    let written = FileManager.default.contents(atPath: sidecar)
    spool = try await open(fault: isFull)
    #expect(spool.recovery.restored == 1)
    #expect(FileManager.default.contents(atPath: sidecar) == written)
    #expect(try await spool.verifyForDelivery(item.id) == .intact)
    await spool.close()
  }

  @Test func `A quarantined row with deliveries in other states makes the database be rebuilt`()
    async throws
  {
    let item = try await quarantined(.missing)
    let sql = "DELETE FROM delivery"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    for number in 1...2 {
      let spool = try await open()
      #expect((spool.recovery.brokenIndex != nil) == (number == 1))
      #expect(try await spool.nextDelivery()?.id == item.id)
      await spool.close()
    }
  }

  @Test func `A quarantine that cannot be listed does not stop the start`() async throws {
    var spool = try await open()
    let item = try await spool.store(.sample(1))
    await spool.close()
    spool = try await open { step in
      if case .list(let path) = step, path.hasSuffix("/quarantine") { EIO } else { nil }
    }
    #expect(spool.recovery.leftBehind == 1)
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }
}
