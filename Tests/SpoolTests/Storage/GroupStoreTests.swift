import Foundation
import Glibc
import Synchronization
import Testing

@testable import Spool

/// Pictures that belong together are stored all or not at all.
struct GroupStoreTests {
  let directory = TestDirectory()

  /// Three pictures of one press.
  static func group(_ number: Int = 7) -> [NewItem] {
    (0..<3).map { index in
      var item = NewItem.sample(number * 10 + index)
      item.metadata.pressNumber = Int64(number)
      item.metadata.bracketIndex = index + 1
      item.metadata.bracketCount = 3
      return item
    }
  }

  private func open(
    _ files: FaultyFileSystem, _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration(change), environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  @Test func `a group has all its images before its first name and one commit`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    let opening = files.journal.count
    let stored = try await spool.store(group: Self.group())
    let steps = files.journal.dropFirst(opening).map(\.description)
    let firstName = try #require(steps.firstIndex { $0.hasSuffix(".jpg") })
    let images = steps[..<firstName].filter { $0.hasPrefix("sync") && $0.hasSuffix(".jpg.part") }
    #expect(images.count == 3)
    let intent = try #require(steps.firstIndex { $0.hasPrefix("rename .group.json.part") })
    #expect(intent < firstName)
    #expect(steps.filter { $0.hasPrefix("did") } == ["did group(3)"])
    #expect(steps.suffix(2) == ["unlink group.json", "sync spool"])
    #expect(stored.map(\.id.sequence) == [1, 2, 3])
    for (item, picture) in zip(stored, Self.group()) {
      let record = try #require(try await spool.item(item.id))
      #expect(record.metadata == picture.metadata && record.sha256 == item.sha256)
      #expect(FileManager.default.contents(atPath: item.path).map { Array($0) } == picture.bytes)
    }
    await spool.close()
  }

  @Test func `a retake replaces one picture with the whole group`() async throws {
    let spool = try await open(FaultyFileSystem(root: directory.spool))
    let first = try await spool.store(.sample(1))
    var group = Self.group()
    for index in group.indices { group[index].replacing = [1] }
    let stored = try await spool.store(group: group)
    #expect(stored.map(\.replacedItemID) == [first.id, first.id, first.id])
    let records = try await spool.items(stored.map(\.id))
    #expect(records.values.allSatisfy { $0.metadata.replacedItemID == first.id.description })
    await spool.close()
  }

  @Test func `a group that does not fit is refused whole`() async throws {
    let spool = try await open(FaultyFileSystem(root: directory.spool)) { $0.maximumItems = 3 }
    _ = try await spool.store(.sample(1))
    let before = TestDirectory.itemFiles(directory.spool)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(group: Self.group())
    }
    #expect(error?.code == .full)
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    await spool.close()
  }

  @Test(arguments: 0..<9)
  func `a disk that fills up at any file leaves none`(failing: Int) async throws {
    // Each picture has an image and a sidecar, and the group an intent with its own file.
    let creations = Mutex(-1)
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .create(let path) = step, path.hasSuffix(".part") else { return nil }
      return creations.withLock { count in
        guard count >= 0 else { return nil }
        count += 1
        return count == failing + 1 ? ENOSPC : nil
      }
    }
    let spool = try await open(files)
    _ = try await spool.store(.sample(1))
    let before = TestDirectory.itemFiles(directory.spool)
    creations.withLock { $0 = 0 }
    let stored = try? await spool.store(group: Self.group())
    creations.withLock { $0 = -1 }
    #expect((stored == nil) == (failing < 7), "seven files are made")
    if stored == nil { #expect(TestDirectory.itemFiles(directory.spool) == before) }
    #expect(await spool.persistentFailure == nil)
    _ = try await spool.store(group: Self.group(8))
    await spool.close()
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `a crash before any step leaves the whole group or nothing`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    var outcomes: Set<Int> = []
    var points = 0
    for point in 0..<400 {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: crash, survivor: survivor,
        seed: UInt64(point) &* 7919)
      var isAcknowledged = false
      do {
        let spool = try await Spool.open(
          directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
        _ = try await spool.store(.sample(1))
        _ = try await spool.store(group: Self.group())
        isAcknowledged = !files.hasCrashed
        await spool.close()
      } catch {
        // The machine has stopped.
      }
      guard files.hasCrashed else { break }
      points += 1
      for _ in 0..<2 {
        let spool = try await Spool.open(
          directory.configuration { $0.directory = survivor },
          environment: SpoolEnvironment(bootID: "c"))
        await spool.rest?.value
        var kept = 0
        while let delivery = try await spool.nextDelivery() {
          if delivery.metadata.pressNumber == 7 { kept += 1 }
        }
        #expect(kept == 0 || kept == 3, "\(crash), point \(point): \(kept) pictures")
        if isAcknowledged { #expect(kept == 3, "\(crash), point \(point)") }
        let names = TestDirectory.itemFiles(survivor)
        #expect(!names.contains("group.json"), "\(crash), point \(point)")
        outcomes.insert(kept)
        await spool.close()
      }
    }
    #expect(outcomes == [0, 3] && points > 30, "\(points) points")
  }
}
