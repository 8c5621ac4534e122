import Foundation
import Glibc
import Testing

@testable import Spool

/// Final pictures and sources after failures of the medium, and at the next start.
extension DeferredTests {
  @Test func `a proxy that a check adopts is replaced, too`() async throws {
    var spool = try await open()
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    await spool.close()
    // The start would adopt the files, so they are away until the spool is open.
    let names = TestDirectory.itemFiles(directory.spool)
    #expect(names.count == 3)
    let manager = FileManager.default
    for (index, name) in names.enumerated() {
      try manager.moveItem(
        atPath: directory.spool + "/" + name, toPath: directory.path + "/\(index)")
    }
    for suffix in ["", "-wal"] { unlink(directory.spool + "/queue.db" + suffix) }
    spool = try await open()
    for (index, name) in names.enumerated() {
      try manager.moveItem(
        atPath: directory.path + "/\(index)", toPath: directory.spool + "/" + name)
    }
    _ = try await spool.verify(repair: true)
    #expect(try await spool.nextProxy()?.id == proxy.id)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [])
    await spool.close()
  }

  @Test func `a proxy that a failed slice of the start has adopted is replaced, too`() throws {
    let isShort = Mutexed(false)
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .openDirectory(let path) = step, path.hasSuffix("/quarantine") else { return nil }
      return isShort.value ? EMFILE : nil
    }
    // Both pictures lie in the same shard, and the slice fails at the second one.
    var environment = SpoolEnvironment(files: files, bootID: "b", random: { 7 })
    environment.entriesOfStart = 0
    let configuration = directory.configuration()
    let (proxy, damaged) = try storeProxyAndPicture(configuration, environment)
    #expect(truncate(damaged.path, 10) == 0)
    let sql = "DELETE FROM delivery; DELETE FROM item;"
    #expect(try run("sqlite3", directory.spool + "/queue.db", sql).status == 0)
    isShort.change { $0 = true }
    let storage = try SpoolStorage(configuration, environment)
    let error = #expect(throws: SpoolError.self) {
      while storage.rest != nil { _ = try storage.recoverSlice() }
    }
    #expect(error?.code == .shortOfResources)
    #expect(Array(storage.proxies.keys) == [proxy.id])
    try storage.index.close()
  }

  private func storeProxyAndPicture(
    _ configuration: SpoolConfiguration, _ environment: SpoolEnvironment
  ) throws -> (StoredItem, StoredItem) {
    let storage = try SpoolStorage(configuration, environment)
    let place = try storage.beginSource(byteCount: 3)
    try write(String(repeating: "x", count: 35), to: place.path)
    var item = NewItem.sample(1)
    item.source = place
    let stored = (try storage.store(item), try storage.store(.sample(2)))
    try storage.index.close()
    return stored
  }

  @Test(arguments: [".final.part", ".json.part"])
  func `a disk that fills up leaves the proxy as it was`(suffix: String) async throws {
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .create(let path) = step, path.contains("/sources/") else { return nil }
      return path.hasSuffix(suffix) ? ENOSPC : nil
    }
    let spool = try await open(on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let before = TestDirectory.itemFiles(directory.spool)
    await #expect(throws: SpoolError.self) { try await spool.finish(proxy.id, finished) }
    #expect(TestDirectory.itemFiles(directory.spool) == before)
    #expect(try await spool.beginFinal(of: proxy.id) == source)
    await spool.close()
  }

  @Test(arguments: [nil, ".final.part", ".json.part"] as [String?])
  func `a lack of descriptors ends an attempt, and nothing else`(suffix: String?) async throws {
    let isShort = Mutexed(false)
    let files = FaultyFileSystem(root: directory.spool) { step in
      switch step {
      case .create(let path) where path.contains("/sources/") && !path.hasSuffix(".source.part"):
        isShort.change { $0 = true }
        return suffix.map { path.hasSuffix($0) } == true ? EMFILE : nil
      case .openDirectory: return isShort.value ? EMFILE : nil
      default: return nil
      }
    }
    let spool = try await open(on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let before = TestDirectory.itemFiles(directory.spool)
    if suffix == nil {
      // The directories are open before the first file is made.
      try await spool.finish(proxy.id, finished)
      #expect(content(proxy.path) == finished && sources == [])
    } else {
      let error = await #expect(throws: SpoolError.self) {
        try await spool.finish(proxy.id, finished)
      }
      #expect(error?.code == .shortOfResources)
      await spool.abandonFinal(of: proxy.id, after: error)
      #expect(try await spool.nextProxy()?.metadata.proxy?.attempts == 0)
      #expect(TestDirectory.itemFiles(directory.spool) == before)
    }
    #expect(await spool.persistentFailure == nil)
    isShort.change { $0 = false }
    _ = try await spool.store(.sample(2))
    await spool.close()
  }

  @Test(arguments: [".final", ".json"], [false, true])
  func `a committed final picture gets its place as soon as the medium takes it`(
    suffix: String, isRestarted: Bool
  ) async throws {
    let isRefused = Mutexed(true)
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .rename(let path, _) = step, path.contains("/sources/0") else { return nil }
      return path.hasSuffix(suffix) && isRefused.value ? EIO : nil
    }
    var spool = try await open(on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let error = await #expect(throws: SpoolError.self) {
      try await spool.finish(proxy.id, finished)
    }
    #expect(error?.code == .unreadable)
    #expect(await spool.persistentFailure == nil)
    if isRestarted {
      await spool.close()
      spool = try await open(on: files)
    }
    // The item is neither delivered nor taken for damaged meanwhile.
    #expect(try await spool.placeFinals() == [])
    #expect(try await spool.nextProxy() == nil)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [])
    #expect(try await spool.verify(repair: true).isClean)
    await #expect(throws: SpoolError.self) { try await spool.beginFinal(of: proxy.id) }
    let other = try await spool.store(.sample(2))
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [other.sha256])

    isRefused.change { $0 = false }
    #expect(try await spool.placeFinals() == [proxy.id])
    let item = try #require(try await spool.item(proxy.id))
    #expect(content(proxy.path) == finished && sources == [])
    #expect(try await spool.verify().isClean)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [item.sha256])
    #expect(try await spool.placeFinals() == [])
    await spool.close()
  }

  @Test func `a picture without its place is deleted whole`() async throws {
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .rename(let path, _) = step, path.hasSuffix(".final") else { return nil }
      return ENOSPC
    }
    let spool = try await open(on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    await #expect(throws: SpoolError.self) { try await spool.finish(proxy.id, finished) }
    try await spool.delete(proxy.id, confirming: proxy.id)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    #expect(try await spool.placeFinals() == [])
    await spool.close()
  }

  /// Calls of the next start that the medium refuses once.
  enum Refusal: CaseIterable {
    case readOfSidecar, listing, rename
  }

  @Test(arguments: Refusal.allCases)
  func `a committed final picture outlasts a start that cannot place it`(
    refusal: Refusal
  ) async throws {
    let broken = FaultyFileSystem(root: directory.spool) { step in
      guard case .rename(let path, _) = step, path.hasSuffix(".final") else { return nil }
      return EIO
    }
    var spool = try await open(on: broken)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    await #expect(throws: SpoolError.self) { try await spool.finish(proxy.id, finished) }
    await spool.close()
    let files = FaultyFileSystem(root: directory.spool) { step in
      switch (step, refusal) {
      case (.read(let path), .readOfSidecar):
        path.contains("/sources/") && path.hasSuffix(".json") ? EIO : nil
      case (.list(let path), .listing): path.hasSuffix("/sources") ? EIO : nil
      case (.rename(let path, _), .rename): path.hasSuffix(".final") ? EIO : nil
      default: nil
      }
    }
    spool = try await open(on: files)
    #expect(spool.recovery.leftBehind == 1 && spool.recovery.brokenIndex == nil)
    #expect(sources.contains("sources/\(proxy.id).final"))
    #expect(try await spool.item(proxy.id)?.state == .stored)
    _ = try await spool.store(.sample(2))
    await spool.close()
    spool = try await open()
    #expect(content(proxy.path) == finished && sources == [])
    #expect(try await spool.verify().isClean)
    await spool.close()
  }

  @Test(arguments: [false, true])
  func `a final picture that is half in its place is salvaged and finished`(
    isIndexLost: Bool
  ) async throws {
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .rename(let path, _) = step, path.contains("/sources/0") else { return nil }
      return path.hasSuffix(".json") ? EIO : nil
    }
    var spool = try await open(on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    await #expect(throws: SpoolError.self) { try await spool.finish(proxy.id, finished) }
    #expect(await spool.persistentFailure == nil)
    await spool.close()
    try SpoolSalvage(directory: directory.spool).copyAll(to: directory.path) {
      #expect($0.outcome == .copied)
    }
    if isIndexLost {
      for suffix in ["", "-wal"] { unlink(directory.spool + "/queue.db" + suffix) }
    }
    spool = try await open()
    let item = try #require(try await spool.item(proxy.id))
    #expect(item.metadata.averagedFrames == 3 && !item.metadata.isProxy && sources == [])
    #expect(try await spool.verify().isClean && spool.recovery.removedParts > 0)
    await spool.close()
  }
}
