import Foundation
import Glibc
import Testing

@testable import Spool

/// Files that cannot be read or removed when the spool is opened.
struct LeftBehindTests {
  let directory = TestDirectory()

  func open(
    history: Int = 100, bits: UInt64? = nil,
    fault: @escaping @Sendable (FaultyFileSystem.Step) -> Int32? = { _ in nil }
  ) async throws -> Spool {
    let files = FaultyFileSystem(root: directory.spool, fault: fault)
    var environment = SpoolEnvironment(files: files, bootID: "b")
    if let bits { environment.random = { bits } }
    return try await Spool.open(
      directory.configuration { $0.historyItems = history }, environment: environment)
  }

  @Test func `A file that cannot be removed does not stop the start, and keeps its row`()
    async throws
  {
    var spool = try await open(bits: 0x42)
    let stored = try await spool.store(.sample(1))
    let bytes = try #require(FileManager.default.contents(atPath: stored.path))
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(stored.id, receipt: .sample(delivery))
    let deleted = try await spool.store(.sample(2))
    try write("damaged", to: deleted.path)
    _ = try await spool.verifyForDelivery(deleted.id)
    try await spool.delete(deleted.id, confirming: deleted.id)
    await spool.close()
    try bytes.write(to: URL(fileURLWithPath: stored.path))
    try write("x", to: directory.spool + "/items/42/.\(stored.id).jpg.part")
    try write("x", to: directory.spool + "/quarantine/\(deleted.id).jpg")
    for _ in 0..<2 {
      spool = try await open(history: 0, bits: 0x43) { step in
        if case .unlink = step { EIO } else { nil }
      }
      #expect(spool.recovery.leftBehind >= 3 && !spool.recovery.isClean)
      #expect(spool.recovery.removedDelivered == 0 && spool.recovery.removedParts == 0)
      // Even a durable directory does not cause the rows to be pruned, so no file is adopted later.
      for number in 3...5 {
        let item = try await spool.store(.sample(number))
        try await spool.delete(item.id, confirming: item.id)
      }
      #expect(try await spool.item(stored.id)?.state.rawValue.isEmpty == false)
      #expect(try await spool.item(deleted.id)?.state == .evicted)
      await spool.close()
    }
    spool = try await open()
    #expect(spool.recovery.removedDelivered == 1 && spool.recovery.removedParts == 1)
    #expect(spool.recovery.leftBehind == 0 && spool.recovery.adopted == 0)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test func `A file that cannot be moved to the quarantine does not stop the start`() async throws
  {
    var spool = try await open()
    let stored = try await spool.store(.sample(1))
    await spool.close()
    #expect(truncate(stored.path, 10) == 0)
    spool = try await open { step in
      if case .rename(_, let path) = step, path.contains("quarantine") { EIO } else { nil }
    }
    #expect(spool.recovery.quarantined == 1 && spool.recovery.leftBehind == 1)
    #expect(try await spool.nextDelivery() == nil)
    await spool.close()
    spool = try await open()
    #expect(TestDirectory.itemFiles(directory.spool).allSatisfy { $0.hasPrefix("quarantine/") })
    await spool.close()
  }

  @Test func `A shard that cannot be read keeps its pictures in the queue`() async throws {
    var spool = try await open(bits: 0x42)
    let stored = try await spool.store(.sample(1))
    await spool.close()
    spool = try await open { step in
      if case .list(let path) = step, path.hasSuffix("/42") { EIO } else { nil }
    }
    #expect(spool.recovery.leftBehind == 1 && spool.recovery.quarantined == 0)
    #expect(try await spool.item(stored.id)?.state == .stored)
    await spool.close()
  }
}
