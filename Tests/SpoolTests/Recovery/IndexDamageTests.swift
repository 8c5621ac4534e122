import Digests
import Foundation
import TestSupport
import Testing

@testable import Spool

/// Hundreds of databases, each damaged in a way of its own.
struct IndexDamageTests {
  /// The number of databases for each kind of damage and each check.
  private static let rounds = Repetitions.of(40, brief: 10, long: 100)

  /// The kinds of damage.
  enum Damage: CaseIterable {
    case bytes, pages, zeroes, cut, log

    func apply(
      to database: Data, log: Data, using random: inout SeededGenerator
    ) -> (database: Data, log: Data) {
      var (changed, changedLog) = (database, log)
      switch self {
      case .bytes: Self.scatter(over: &changed, using: &random)
      case .pages:
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let page = Int.random(in: 0..<changed.count / 4096, using: &random)
          for place in page * 4096..<(page + 1) * 4096 {
            changed[place] = UInt8.random(in: 0...255, using: &random)
          }
        }
      case .zeroes:
        let start = Int.random(in: 0..<changed.count, using: &random)
        let end = Int.random(in: start..<changed.count, using: &random)
        changed.replaceSubrange(start...end, with: Data(count: end - start + 1))
      case .cut: changed = changed.prefix(Int.random(in: 0..<changed.count, using: &random))
      case .log: Self.scatter(over: &changedLog, using: &random)
      }
      return (changed, changedLog)
    }

    private static func scatter(over data: inout Data, using random: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<data.count, using: &random)
        for offset in 0..<min(Int.random(in: 1...64, using: &random), data.count - place) {
          data[place + offset] = UInt8.random(in: 0...255, using: &random)
        }
      }
    }
  }

  /// The second limit makes the database count as too long to be checked as a whole.
  ///
  /// Damage that the start does not find is met later, and makes the next start rebuild the
  /// database. That can happen after a check of the whole, too. The check sees whether a page is
  /// valid, and not whether a row is right about its picture.
  @Test(arguments: Damage.allCases, [IndexCheck.wholePages, 0])
  func `A damaged database is put aside and no picture is lost`(
    damage: Damage, wholePages: Int
  ) async throws {
    let directory = TestDirectory()
    let template = directory.path + "/template"
    let waiting = try await fill(directory, template)
    let database = try #require(FileManager.default.contents(atPath: template + "/queue.db"))
    let log = try #require(FileManager.default.contents(atPath: template + "/queue.db-wal"))
    let seed = TestSeed.value
    print("database damage: \(damage), seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var put = 0
    var met = 0
    for round in 0..<Self.rounds {
      let changed = damage.apply(to: database, log: log, using: &random)
      let copy = directory.path + "/copy"
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: template, toPath: copy)
      try changed.database.write(to: URL(fileURLWithPath: copy + "/queue.db"))
      // The database is whole without its log, except for the test of a damaged log.
      if damage != .log { try FileManager.default.removeItem(atPath: copy + "/queue.db-wal") }
      if damage == .log { try changed.log.write(to: URL(fileURLWithPath: copy + "/queue.db-wal")) }
      var environment = SpoolEnvironment(bootID: "c")
      environment.wholeCheckPages = wholePages
      do throws(SpoolError) {
        let configuration = directory.configuration { $0.directory = copy }
        var spool = try await Spool.open(configuration, environment: environment)
        if try await isContradicted(spool, waiting: waiting) {
          met += 1
          await spool.close()
          spool = try await Spool.open(configuration, environment: environment)
          #expect(spool.recovery.brokenIndex != nil, "seed \(seed), round \(round)")
          let isContradictedAgain = try await isContradicted(spool, waiting: waiting)
          #expect(!isContradictedAgain, "seed \(seed), round \(round)")
        }
        let counts = try await spool.counts()
        if spool.recovery.brokenIndex != nil {
          put += 1
          #expect(FileManager.default.fileExists(atPath: copy + "/queue.db.broken"))
          // The database was rebuilt, with as many rows as there are pictures.
          #expect(counts.stored == 3 && counts.quarantined == 0, "seed \(seed), round \(round)")
        }
        await spool.close()
      } catch {
        // The damage may hit the version's own byte, and then a refusal is right.
        #expect(error.code == .newerSchema, "seed \(seed), round \(round): \(error)")
      }
      // Every picture's bytes are still there, in the queue or in the quarantine.
      let digests = TestDirectory.itemFiles(copy).compactMap {
        try? KernelFileSystem().hashFile(copy + "/" + $0).sha256.hexadecimal
      }
      for item in waiting {
        #expect(digests.contains(item.sha256), "seed \(seed), round \(round)")
      }
    }
    #expect(damage == .log || put > Self.rounds / 10)
    print("database damage: \(damage), put aside \(put), of these met at work \(met)")
  }

  /// Every reader of a long database's history meets the damage, also a check.
  @Test func `A check that meets damage in the history makes the next start rebuild the database`()
    async throws
  {
    let directory = TestDirectory()
    var environment = SpoolEnvironment(bootID: "b")
    environment.wholeCheckPages = 0
    var spool = try await Spool.open(directory.configuration(), environment: environment)
    let waiting = try await spool.store(.sample(1))
    await spool.close()
    let path = directory.spool + "/queue.db"
    try HistoryFiller.fill(path, items: 3000)
    var bytes = try #require(FileManager.default.contents(atPath: path))
    // The damage is in the last third but for its end: leaves of items and deliveries.
    let damaged = bytes.count * 2 / 3 / 4096 * 4096..<bytes.count * 3 / 4 / 4096 * 4096
    bytes.replaceSubrange(damaged, with: Data(repeating: 0xee, count: damaged.count))
    try bytes.write(to: URL(fileURLWithPath: path))
    spool = try await Spool.open(directory.configuration(), environment: environment)
    #expect(spool.recovery.brokenIndex == nil)
    let error = await #expect(throws: SpoolError.self) { try await spool.verify() }
    #expect(error?.code == .indexDamaged)
    #expect(await spool.persistentFailure == error)
    await spool.close()
    spool = try await Spool.open(directory.configuration(), environment: environment)
    #expect(spool.recovery.brokenIndex != nil && spool.recovery.adopted == 1)
    #expect(try await spool.nextDelivery()?.id == waiting.id)
    await spool.close()
  }

  /// Reads everything, and returns whether the database was found to contradict itself.
  ///
  /// A picture that is handed out intact is one of the waiting pictures.
  private func isContradicted(
    _ spool: Spool, waiting: [StoredItem]
  ) async throws(SpoolError) -> Bool {
    do throws(SpoolError) {
      var claimed: [ItemID] = []
      while let delivery = try await spool.nextDelivery() {
        claimed.append(delivery.id)
        if try await spool.verifyForDelivery(delivery.id) == .intact {
          #expect(waiting.contains { $0.sha256 == delivery.sha256 })
        }
        try await spool.recordAttempt(delivery.id, failure: .sample)
        if claimed.count > 10 { break }
      }
      for id in claimed { await spool.release(id) }
    } catch {
      guard error.code == .indexDamaged else { throw error }
      return true
    }
    return false
  }

  /// Stores three waiting pictures, the last of them only in the log, and a delivered one.
  private func fill(_ directory: TestDirectory, _ template: String) async throws -> [StoredItem] {
    var spool = try await directory.open()
    let delivered = try await spool.store(.sample(1))
    let delivery = try #require(try await spool.nextDelivery())
    try await spool.complete(delivered.id, receipt: .sample(delivery))
    var waiting = [try await spool.store(.sample(2)), try await spool.store(.sample(3))]
    _ = try await spool.nextDelivery()
    try await spool.park(waiting[0].id, failure: .sample)
    await spool.close()
    spool = try await directory.open()
    waiting.append(try await spool.store(.sample(4)))
    try await spool.retry(waiting[0].id)
    try FileManager.default.copyItem(atPath: directory.spool, toPath: template)
    await spool.close()
    return waiting
  }
}
