import Devices
import Digests
import Foundation
import Glibc
import Testing

@testable import Spool

/// Proxies with their sources, and the final pictures that replace them.
struct DeferredTests {
  let directory = TestDirectory()
  let source = [UInt8](repeating: 7, count: 3000)
  let finished = NewItem.sample(500, bytes: 700).bytes

  func open(
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

  func target(_ policy: ProxyPolicy) -> TargetID { TargetID(rawValue: policy.rawValue) }

  var sources: [String] {
    TestDirectory.itemFiles(directory.spool).filter { $0.hasPrefix("sources/") }
  }

  @Test func `a final picture replaces its proxy under the same ID`() async throws {
    let spool = try await open()
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect(proxy.isProxy && sources == ["sources/\(proxy.id).source"])
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [])
    #expect(try await spool.queue(of: target(.finalOnly)) == QueueState())
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
    #expect(try await spool.queue(of: target(.both)).hasPending == false)
    if isKept {
      try await spool.keepProxy(proxy.id, because: .heat)
      #expect(try await spool.item(proxy.id)?.metadata.singleFrame == .heat)
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

  @Test func `a target that gets only the first version from now on does not get it again`()
    async throws
  {
    let target = target(.both)
    var spool = try await open([.finalOnly, .both])
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect(try await spool.deliverAll(to: target) == [proxy.sha256])
    await spool.close()
    spool = try await open([.finalOnly, .both]) { $0.proxyPolicies[target] = .proxyFirst }
    #expect(try await spool.deliverAll(to: target) == [])
    try await spool.finish(proxy.id, finished)
    #expect(try await spool.deliverAll(to: target) == [])
    #expect(try await spool.deliverAll(to: self.target(.finalOnly)).count == 1)
    #expect(try await spool.item(proxy.id)?.state == .delivered)
    await spool.close()
  }

  /// A parked delivery cannot take a receipt, and the press that wants room is not to blame.
  @Test func `a kept proxy ends its deliveries in the same commit, also parked ones`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open([.both], on: files)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect(try await spool.deliverAll(to: target(.both)) == [proxy.sha256])
    try await spool.park(proxy.id, failure: .sample, target: target(.both))
    let before = files.journal.count
    try await spool.keepProxy(proxy.id, because: .storage)
    let commits = files.journal.dropFirst(before).filter {
      if case .didCommit = $0 { true } else { false }
    }
    #expect(commits == [.didCommit(.proxy(proxy.id))])
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

  /// The process ends in the middle of each attempt, and the machine with it or not.
  @Test(arguments: [false, true])
  func `an attempt that a power cut ends is no failure of the picture`(
    isPowerCut: Bool
  ) async throws {
    func open(_ run: Int) async throws -> Spool {
      try await Spool.open(
        directory.configuration(),
        environment: SpoolEnvironment(bootID: isPowerCut ? "boot \(run)" : "boot"))
    }
    var spool = try await open(0)
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    for run in 1...3 {
      _ = try await spool.beginFinal(of: proxy.id)
      await spool.close()
      spool = try await open(run)
      let state = try #require(try await spool.nextProxy()?.metadata.proxy)
      #expect(state.attempts == (isPowerCut ? 0 : run))
      #expect(state.cutAttempts == (isPowerCut ? run : nil))
    }
    await spool.close()
  }

  @Test func `the state of a proxy of an earlier version is read`() throws {
    let state = try SpoolJSON.decode(ProxyState.self, #"{"attempts":2,"receipts":{}}"#)
    #expect(state.attempts == 2 && state.cutAttempts == nil)
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
}
