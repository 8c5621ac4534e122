import Devices
import Digests
import Glibc
import Testing

@testable import Spool

/// Proxies in quarantine, whose frames are the only good copy of the picture.
extension DeferredTests {
  @Test(arguments: [false, true])
  func `the frames of a proxy in quarantine heal the picture`(isMissing: Bool) async throws {
    var spool = try await open()
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect((isMissing ? unlink(proxy.path) : truncate(proxy.path, 10)) == 0)
    _ = try await spool.verify(repair: true)
    #expect(try await spool.item(proxy.id)?.state == .quarantined)
    let later = try await spool.storeProxy(.sample(2), source: source)
    #expect(try await spool.nextProxy()?.id == later.id)
    try await spool.keepProxy(later.id, because: .memory)
    await spool.close()

    spool = try await open()
    let next = try #require(try await spool.nextProxy())
    #expect(next.id == proxy.id && next.isQuarantined)
    #expect(try await spool.finish(proxy.id, finished) == source)
    let item = try #require(try await spool.item(proxy.id))
    #expect(item.state == .stored && item.quarantineReason == nil)
    #expect(content(proxy.path) == finished && sources == [])
    let event = try #require(try await spool.auditEvents().first)
    let reason = isMissing ? "missing" : "damaged"
    #expect(event.kind == .retried && event.item == proxy.id)
    #expect(event.detail == "quarantined as \(reason), made anew of its frames")
    #expect(try await spool.counts().quarantined == 0)
    #expect(try await spool.verify().isClean)
    #expect(try await spool.deliverAll(to: target(.finalOnly)) == [item.sha256, later.sha256])
    #expect(TestDirectory.itemFiles(directory.spool) == [])
    await spool.close()
  }

  @Test func `frames that cannot heal a picture are released, and the audit says so`()
    async throws
  {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(on: files) { $0.maximumBytes = 9000 }
    let proxy = try await spool.storeProxy(.sample(1), source: source)
    #expect(truncate(proxy.path, 10) == 0)
    _ = try await spool.verify(repair: true)
    // The frames make no room for another picture, and wait for room themselves.
    await #expect(throws: SpoolError.self) { try await spool.store(.sample(2, bytes: 8000)) }
    files.setRoom(FileSystemRoom(freeBytes: 0, freeFiles: nil))
    #expect(try await spool.nextProxy() == nil)
    #expect(sources == ["sources/\(proxy.id).source"])
    files.setRoom(nil)
    try await spool.keepProxy(proxy.id, because: .failed)
    #expect(sources == [])
    let event = try #require(try await spool.auditEvents().first)
    #expect(event.kind == .proxyKept && event.item == proxy.id && event.detail == "failed")
    let item = try #require(try await spool.item(proxy.id))
    #expect(item.state == .quarantined && !item.metadata.isProxy)
    #expect(try await spool.verify().isClean)
    await spool.close()
  }
}
