import Foundation
import Testing

@testable import Spool

/// Pictures that are taken before any target is configured.
struct UnassignedTests {
  let directory = TestDirectory()

  private func open(_ targets: TargetID...) async throws -> Spool {
    try await Spool.open(
      directory.configuration { $0.targets = targets }, environment: SpoolEnvironment())
  }

  private let archive = TargetID(rawValue: "archive")
  private let office = TargetID(rawValue: "office")

  @Test func `Pictures without a target wait for the first targets that are configured`()
    async throws
  {
    var spool = try await open(.unassigned)
    let stored = try await spool.store(.sample(1))
    #expect(try await spool.nextDelivery(target: archive) == nil)
    await spool.close()
    spool = try await open(archive, office)
    #expect(try await spool.nextDelivery(target: archive)?.id == stored.id)
    #expect(try await spool.nextDelivery(target: office)?.id == stored.id)
    let targets = try await spool.item(stored.id)?.deliveries.map(\.target)
    #expect(targets == [archive, office])
    let statistics = try await spool.stats()
    #expect(statistics.targets.filter(\.isConfigured).map(\.pending) == [1, 1])
    #expect(statistics.targets.reduce(0) { $0 + $1.pending } == 2)
    await spool.close()
    spool = try await open(archive)
    #expect(try await spool.nextDelivery(target: archive)?.id == stored.id)
    await spool.close()
  }

  @Test func `A lost index does not keep pictures from their targets`() async throws {
    var spool = try await open(.unassigned)
    let stored = try await spool.store(.sample(1))
    await spool.close()
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    spool = try await open(archive)
    #expect(try await spool.nextDelivery(target: archive)?.id == stored.id)
    #expect(try await spool.nextDelivery(target: .unassigned) == nil)
    await spool.close()
  }

  @Test func `A picture that waits for a removed target is left alone`() async throws {
    var spool = try await open(archive)
    let stored = try await spool.store(.sample(1))
    await spool.close()
    spool = try await open(office)
    #expect(try await spool.nextDelivery(target: office) == nil)
    #expect(try await spool.item(stored.id)?.deliveries.map(\.target) == [archive])
    await spool.close()
  }

  @Test func `A picture quarantined meanwhile waits for the targets as soon as it is put back`()
    async throws
  {
    var spool = try await open(.unassigned)
    let stored = try await spool.store(.sample(1))
    let bytes = try #require(FileManager.default.contents(atPath: stored.path))
    try write("damaged", to: stored.path)
    _ = try await spool.verifyForDelivery(stored.id)
    await spool.close()
    spool = try await open(archive)
    try bytes.write(
      to: URL(fileURLWithPath: directory.spool + "/quarantine/\(stored.id).jpg"))
    try await spool.retry(stored.id)
    #expect(try await spool.nextDelivery(target: archive)?.id == stored.id)
    await spool.close()
  }

  @Test func `A picture that a check adopts waits for the targets at once`() async throws {
    let spool = try await open(.unassigned)
    let stored = try await spool.store(.sample(1))
    let files = [stored.path, stored.path.replacing(".jpg", with: ".json")]
    let contents = files.map { FileManager.default.contents(atPath: $0) }
    await spool.close()
    try FileManager.default.removeItem(atPath: directory.spool)
    let other = try await open(archive)
    let shard = (stored.path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: shard, withIntermediateDirectories: true)
    for (path, content) in zip(files, contents) {
      try content?.write(to: URL(fileURLWithPath: path))
    }
    _ = try await other.verify(repair: true)
    #expect(try await other.nextDelivery(target: archive)?.id == stored.id)
    await other.close()
  }
}
