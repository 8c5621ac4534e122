import Digests
import Foundation
import Glibc
import Testing

@testable import Spool

/// Proxies with their sources, and the final pictures that replace them.
struct DeferredTests {
  private let directory = TestDirectory()
  private let source = [UInt8](repeating: 7, count: 3000)
  private let finished = NewItem.sample(500, bytes: 700).bytes

  private func open(
    _ policies: [ProxyPolicy] = [.finalOnly], on files: (any FileSystem)? = nil,
    _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration {
        $0.targets = policies.map(target)
        for policy in policies { $0.proxyPolicies[target(policy)] = policy }
        change(&$0)
      }, environment: SpoolEnvironment(files: files ?? KernelFileSystem(), bootID: "b"))
  }

  private func target(_ policy: ProxyPolicy) -> TargetID { TargetID(rawValue: policy.rawValue) }

  private var sources: [String] {
    TestDirectory.itemFiles(directory.spool).filter { $0.hasPrefix("sources/") }
  }

  @Test func `a final picture replaces its proxy under the same ID`() async throws {
    let spool = try await open()
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect(proxy.isProxy && sources == ["sources/\(proxy.id).source"])
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [])
    #expect(try await spool.hasDeliveries(.pending, to: target(.finalOnly)) == false)
    #expect(try await spool.item(proxy.id)?.metadata.isProxy == true)
    #expect(try await spool.counts().proxies == 1)

    #expect(try await spool.finish(proxy.id, finished) == source)
    let item = try #require(try await spool.item(proxy.id))
    #expect(item.sha256 == Digest.value(.sha256, of: finished).hexadecimal)
    #expect(item.remoteName != proxy.remoteName && item.path == proxy.path)
    #expect(item.metadata.averagedFrames == 3 && !item.metadata.isProxy)
    #expect(content(item.path) == finished && sources == [])
    #expect(try await spool.counts().bytesWaiting == 700)
    #expect(try await spool.verify().isClean)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [item.sha256])
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test(arguments: [false, true])
  func `each target gets the versions of its policy, also after a restart`(
    isKept: Bool
  ) async throws {
    var spool = try await open(ProxyPolicy.allCases)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let same = try await spool.store(.sample(1))
    #expect(try await spool.item(same.id)?.duplicateOf == nil, "the proxy's content changes")
    try await spool.delete(same.id, confirming: same.id)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [])
    #expect(try await spool.deliverAll(to: target(.proxyFirst)) == [proxy.sha256])
    #expect(try await spool.deliverAll(to: target(.both)) == [proxy.sha256])
    await spool.close()
    spool = try await open(ProxyPolicy.allCases)
    #expect(try await spool.hasDeliveries(.pending, to: target(.both)) == false)
    if isKept {
      try await spool.keepProxy(proxy.id, because: .heat)
      #expect(try await spool.item(proxy.id)?.metadata.singleFrame == "heat")
      #expect(try await spool.auditEvents().first?.kind == .proxyKept)
      #expect(try await spool.counts().keptProxies == 1)
    } else {
      try await spool.finish(proxy.id, finished)
    }
    let final = isKept ? proxy.sha256 : Digest.value(.sha256, of: finished).hexadecimal
    #expect(try await spool.item(proxy.id)?.metadata.isProxy == false)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [final])
    #expect(try await spool.deliverAll(to: target(.proxyFirst)) == [])
    #expect(try await spool.deliverAll(to: target(.both)) == (isKept ? [] : [final]))
    #expect(try await spool.item(proxy.id)?.state == .delivered)
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test func `a proxy is not replaced while it is delivered, nor delivered while it is`()
    async throws
  {
    let spool = try await open([.proxyFirst])
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    let target = target(.proxyFirst)
    #expect(try await spool.nextDelivery(target: target)?.id == proxy.id)
    #expect(try await spool.nextProxy() == nil)
    await #expect(throws: SpoolError.self) { try await spool.finish(proxy.id, finished) }
    await spool.release(proxy.id, target: target)
    _ = try await spool.beginFinal(of: proxy.id)
    #expect(try await spool.nextDelivery(target: target) == nil)
    await spool.abandonFinal(of: proxy.id)
    #expect(try await spool.nextProxy()?.metadata.proxy?.attempts == 1)
    #expect(try await spool.nextDelivery(target: target)?.id == proxy.id)
    await spool.close()
  }

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
    #expect(try await spool.item(proxy.id)?.metadata.singleFrame == "storage")
    #expect(content(proxy.path) == NewItem.sample(1).bytes && sources == [])
    // The picture itself goes before its own source.
    let alone = try await spool.storeProxy(.sample(3), source: [UInt8](repeating: 1, count: 500))
    #expect(!alone.isProxy && sources == [])
    #expect(try await spool.item(alone.id)?.metadata.singleFrame == "storage")
    await spool.close()
  }

  @Test func `a damaged or missing source is told`() async throws {
    let spool = try await open()
    let damaged = try await spool.storeProxy(.sample(1), source: source)
    try write(String(repeating: "x", count: 3032), to: directory.spool + "/" + sources[0])
    let missing = try await spool.storeProxy(.sample(2), source: source)
    unlink(directory.spool + "/sources/\(missing.id).source")
    for (id, code) in [(damaged.id, SpoolError.Code.unreadable), (missing.id, .invalid)] {
      let error = await #expect(throws: SpoolError.self) { try await spool.beginFinal(of: id) }
      #expect(error?.code == code)
      try await spool.delete(id, confirming: id)
    }
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
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
    #expect(await spool.persistentFailure?.code == .failed)
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
