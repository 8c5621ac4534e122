import Foundation
import Testing

@testable import Spool

/// The synchronizations that pictures and starts cost.
struct SynchronizationTests {
  let directory = TestDirectory()

  func open(_ files: FaultyFileSystem) async throws -> Spool {
    try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  var shards: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.spool + "/items").sorted()
    }
  }

  @Test func `A picture with its press costs four synchronizations, from the first one on`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    // The log is not copied back before 256 pages.
    for number in 1...8 as ClosedRange<Int64> {
      let before = files.journal.count
      spool.enter(.sample(number))
      #expect(spool.pressesInFlight == [number])
      let item = try await spool.store(.sample(Int(number)))
      spool.enter(.sample(number, .stored([item.id])))
      #expect(spool.pressesInFlight == [])
      let steps = files.journal.dropFirst(before).map(\.description)
      #expect(
        steps.filter { $0.hasPrefix("sync") || $0.hasPrefix("did") } == [
          "sync .\(item.id).jpg.part", "sync .\(item.id).json.part", "sync \(item.id.shard)",
          "did enqueue(\(item.id))",
        ])
    }
    await spool.close()
  }

  @Test func `A picture counts no rows where no limit is near`() async throws {
    let spool = try await open(FaultyFileSystem(root: directory.spool))
    _ = try await spool.store(.sample(1))
    let statements = try await spool.statements { _ = try await spool.store(.sample(2)) }
    #expect(statements.contains { $0.contains("INSERT INTO item ") })
    for table in ["item_tally", "press_tally"] {
      #expect(!statements.contains { $0.contains("FROM \(table)") })
    }
    await spool.close()
  }

  @Test func `A start makes all missing shards and forces them to the disk once`() async throws {
    for missing in [SpoolLayout.shards, ["07", "42"], []] {
      let files = FaultyFileSystem(root: directory.spool)
      let spool = try await open(files)
      #expect(try shards == SpoolLayout.shards)
      let steps = files.journal.map(\.description)
      // Directories that are made in a row are one step.
      let made = steps.filter { $0.hasPrefix("mkdir ") && $0.count == 8 }
      #expect(made == missing.prefix(1).map { "mkdir \($0)" })
      #expect(steps.count { $0 == "sync items" } == 1)
      #expect(Set(steps).isDisjoint(with: SpoolLayout.shards.map { "sync \($0)" }))
      await spool.close()
      for shard in ["07", "42"] where missing.count > 2 { try directory.removeShard(shard) }
    }
  }

  /// The room is less than four times what all shards take.
  @Test func `A start on a nearly full disk makes no shards`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    files.setRoom(FileSystemRoom(freeBytes: 3 << 20, freeFiles: 2000))
    let spool = try await open(files)
    #expect(try shards == [])
    let item = try await spool.store(.sample(1))
    #expect(try shards == [item.id.shard])
    await spool.close()
  }
}
