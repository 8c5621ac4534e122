import Devices
import Testing

@testable import Spool

/// The room for proxies and their sources.
extension DeferredTests {
  @Test func `sources are limited, and make room for pictures`() async throws {
    let spool = try await open {
      $0.maximumSources = 1
      $0.maximumBytes = 4000
    }
    let unused = try await spool.beginSource(byteCount: 10)
    await #expect(throws: SpoolError.self) { try await spool.beginSource(byteCount: 10) }
    await spool.discard(unused)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    _ = try await spool.store(.sample(2, bytes: 3000))
    #expect(try await spool.item(proxy.id)?.metadata.singleFrame == .storage)
    #expect(content(proxy.path) == NewItem.sample(1).bytes && sources == [])
    // The picture itself goes before its own source.
    let alone = try await spool.storeProxy(.sample(3), source: [UInt8](repeating: 1, count: 500))
    #expect(!alone.isProxy && sources == [])
    #expect(try await spool.item(alone.id)?.metadata.singleFrame == .storage)
    await spool.close()
  }

  @Test func `a picture evicts no other for its own source`() async throws {
    let spool = try await open {
      $0.maximumBytes = 4000
      $0.whenFull = .evictOldest
    }
    let old = try await spool.store(.sample(1, bytes: 3000))
    let alone = try await spool.storeProxy(.sample(2), source: [UInt8](repeating: 1, count: 900))
    #expect(!alone.isProxy && sources == [])
    #expect(try await spool.item(old.id)?.state == .stored)
    #expect(try await spool.item(alone.id)?.metadata.singleFrame == .storage)
    await spool.close()
  }

  @Test(arguments: SpoolConfiguration.WhenFull.allCases)
  func `a look at the room gives up no source, and counts sources as room`(
    whenFull: SpoolConfiguration.WhenFull
  ) async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(on: files) {
      $0.maximumBytes = 4000
      $0.whenFull = whenFull
    }
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let pending = try await spool.beginSource(byteCount: 500)
    // First the limit lacks the room, and then the disk.
    try await spool.checkRoom(forBytes: 3000 + 32)
    files.setRoom(FileSystemRoom(freeBytes: Capacity.overheadBytes, freeFiles: nil))
    try await spool.checkRoom(forBytes: 3000)
    #expect(sources == ["sources/\(proxy.id).source"])
    #expect(try await spool.item(proxy.id)?.metadata.isProxy == true)
    // A source in use is no room, and no picture that may be evicted.
    _ = try await spool.beginFinal(of: proxy.id)
    await #expect(throws: SpoolError.self) { try await spool.checkRoom(forBytes: 3000) }
    await spool.abandonFinal(of: proxy.id)
    await spool.discard(pending)
    await spool.close()
  }

  @Test func `a source leaves room for a picture, and for sources that are not written`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(on: files) { $0.roomBesideSources = 1000 }
    // Each source has a digest of 32 bytes.
    let needed = Capacity.overheadBytes + 1000 + 532
    files.setRoom(FileSystemRoom(freeBytes: needed - 1, freeFiles: nil))
    await #expect(throws: SpoolError.self) { try await spool.beginSource(byteCount: 500) }
    files.setRoom(FileSystemRoom(freeBytes: needed, freeFiles: nil))
    let first = try await spool.beginSource(byteCount: 500)
    await #expect(throws: SpoolError.self) { try await spool.beginSource(byteCount: 500) }
    try await spool.write([UInt8](repeating: 1, count: 500), to: first)
    // The file system counts the first source itself from now on.
    let second = try await spool.beginSource(byteCount: 500)
    for source in [first, second] { await spool.discard(source) }
    await spool.close()
  }

  @Test func `the time of a write is without the wait for other writes`() async throws {
    let now = Mutexed<Int64>(0)
    let files = FaultyFileSystem(root: directory.spool) { step in
      if case .sync(let path) = step, path.hasSuffix(".source.part") {
        now.change { $0 += 1_000_000_000 }
      }
      return nil
    }
    let spool = try await Spool.open(
      directory.configuration(),
      environment: SpoolEnvironment(
        files: files, bootID: "b", monotonicNanoseconds: { now.value }))
    let times = try await withThrowingTaskGroup(of: Duration.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let place = try await spool.beginSource(byteCount: 3)
          return try await spool.write([1, 2, 3], to: place)
        }
      }
      var times: [Duration] = []
      for try await time in group { times.append(time) }
      return times
    }
    #expect(times == [Duration](repeating: .seconds(1), count: 8))
    await spool.close()
  }
}
