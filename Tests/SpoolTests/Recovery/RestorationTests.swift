import Foundation
import Glibc
import Testing

@testable import Spool

/// Quarantined pictures whose files are in their place again at a start.
struct RestorationTests {
  let directory: TestDirectory

  init() throws { directory = try TestDirectory() }

  func open(
    fault: @escaping @Sendable (FaultyFileSystem.Step) -> Int32? = { _ in nil }
  ) async throws -> Spool {
    let files = FaultyFileSystem(root: directory.spool, fault: fault)
    return try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  /// A closed spool with one picture whose files are in `items`, and whose row is quarantined.
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
    let report = try recovery.run()
    try index.close()
    return report
  }

  @Test(arguments: [QuarantineReason.missing, .unreadable])
  func `What was never found damaged is put back however much has been hashed`(
    reason: QuarantineReason
  ) async throws {
    let item = try await quarantined(reason)
    let report = try recover { $0.hashedBytes = Recovery.hashedBytesLimit }
    #expect(report.restored == 1)
    let spool = try await open()
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }

  @Test func `What there is no time to hash is left in its place`() async throws {
    let item = try await quarantined(.damaged)
    let report = try recover { $0.hashedBytes = Recovery.hashedBytesLimit }
    #expect(report.restored == 0)
    #expect(FileManager.default.fileExists(atPath: item.path))
    #expect(try recover().restored == 1)
    let spool = try await open()
    #expect(try await spool.nextDelivery()?.id == item.id)
    await spool.close()
  }
}
