import Foundation
import Glibc
import Testing

@testable import Spool

/// Files that the spool takes over.
struct SourceFileTests {
  static let bytes = (0..<2_500_000).map { (number: Int) -> UInt8 in
    UInt8(truncatingIfNeeded: number &* 31 &+ number >> 9)
  }

  let directory = TestDirectory()

  func open(
    _ files: FaultyFileSystem, _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration(change),
      environment: SpoolEnvironment(files: files, bootID: "b", random: { 0x42 }))
  }

  /// Makes a layer in which the sources lie on another file system.
  func layer(isElsewhere: Bool) -> FaultyFileSystem {
    FaultyFileSystem(root: directory.spool) { step in
      guard isElsewhere, case .link = step else { return nil }
      return EXDEV
    }
  }

  @Test func `A file is moved without a copy`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    let path = try directory.source(Self.bytes)
    let opening = files.journal.count
    let id = try await spool.store(.sample(1, file: path)).id
    #expect(
      files.journal.dropFirst(opening).map(\.description) == [
        "sync video", "link video .\(id).mp4.part",
        "create .\(id).json.part", "write .\(id).json.part", "sync .\(id).json.part",
        "rename .\(id).json.part \(id).json", "rename .\(id).mp4.part \(id).mp4", "sync 42",
        "will enqueue(\(id))", "did enqueue(\(id))", "unlink video",
      ])
    await spool.close()
  }

  @Test(arguments: [false, true])
  func `A file is stored like the same bytes, a piece at a time`(isElsewhere: Bool) async throws {
    let files = layer(isElsewhere: isElsewhere)
    let spool = try await open(files)
    let path = try directory.source(Self.bytes)
    let stored = try await spool.store(.sample(1, file: path))
    #expect(content(path) == nil)
    #expect(content(stored.path) == Self.bytes)
    #expect(files.largestRead <= 1 << 20)
    let writes = files.journal.filter { $0.description == "write .\(stored.id).mp4.part" }
    #expect(writes.count == (isElsewhere ? 3 : 0))
    #expect(try await spool.verifyForDelivery(stored.id) == .intact)

    var same = NewItem.sample(1, file: path)
    same.bytes = Self.bytes
    let other = try await spool.store(same)
    #expect(stored.sha256 == other.sha256)
    #expect(stored.byteCount == other.byteCount)
    let record = try #require(try await spool.item(stored.id))
    let twin = try #require(try await spool.item(other.id))
    #expect(record.metadata == twin.metadata)
    #expect(twin.duplicateOf == stored.id)
    await spool.close()
  }

  @Test func `A moved file needs no room but counts, and a copied one needs room`() async throws {
    let path = try directory.source(Self.bytes)
    for isElsewhere in [true, false] {
      let files = layer(isElsewhere: isElsewhere)
      let spool = try await open(files)
      files.setRoom(FileSystemRoom(freeBytes: Capacity.overheadBytes + 10, freeFiles: nil))
      if isElsewhere {
        let error = await #expect(throws: SpoolError.self) {
          try await spool.store(.sample(1, file: path))
        }
        #expect(error?.code == .full)
        #expect(error?.object == path)
        #expect(content(path) == Self.bytes)
        #expect(TestDirectory.itemFiles(directory.spool) == [])
      } else {
        _ = try await spool.store(.sample(1, file: path))
        #expect(content(path) == nil)
      }
      await spool.close()
    }
    let spool = try await open(layer(isElsewhere: false)) { $0.maximumBytes = 2_600_000 }
    let second = try directory.source(Self.bytes)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.store(.sample(2, file: second))
    }
    #expect(error?.code == .full)
    #expect(content(second) == Self.bytes)
    await spool.close()
  }
}
