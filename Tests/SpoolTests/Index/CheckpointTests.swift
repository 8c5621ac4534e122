import Foundation
import Glibc
import Testing

@testable import Spool

/// The log is copied back by the index, which hears of what goes wrong.
struct CheckpointTests {
  let directory: TestDirectory

  init() throws { directory = try TestDirectory() }

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
    // 256 pages and what one commit adds, each with its header.
    #expect((1...300 * 4200).contains(logBytes))
    await spool.close()
    #expect(logBytes == 0)
    let (again, _) = try await open(failingWhile: Trigger())
    #expect(try await again.reservePressNumbers(count: 1).lowerBound == 601)
    await again.close()
  }

  @Test func `A log that cannot be copied back ends the service, and is not tried again`()
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
    // Nor when it is closed: the log is left to the next start.
    #expect(files.journal == before)
    #expect(logBytes > 256 * 4096)
    let (again, _) = try await open(failingWhile: trigger)
    #expect(try await again.item(stored.id)?.state == .stored)
    #expect(try await again.reservePressNumbers(count: 1).lowerBound > 30)
    await again.close()
  }
}
