import Foundation
import TestSupport
import Testing

@testable import Spool

/// The machine stops before every step of a queue's life.
///
/// The life has parking, retrying, giving up, deleting, pruning, duplicates, resume states, pauses,
/// boots and ballast.
struct QueueCrashTests {
  static func replay(
    crash: FaultyFileSystem.Crash, bootID: String = QueueLife.bootID,
    lies: Set<FaultyFileSystem.Lie> = [], points: any Sequence<Int>
  ) async throws -> (points: Int, kinds: Set<String>, violations: [String]) {
    var count = 0
    var violations: [String] = []
    var kinds: Set<String> = []
    for point in points {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let fullDisk = Trigger()
      let files = QueueLife.layer(
        directory.spool, crashAt: point, crash: crash, survivor: survivor, seed: UInt64(point),
        lies: lies, fullDisk: fullDisk)
      let life = QueueLife(files: files, fullDisk: fullDisk)
      await life.run()
      guard files.hasCrashed else {
        kinds = Set(files.journal.compactMap { $0.description.split(separator: "(").first })
          .map(String.init).reduce(into: []) { $0.insert($1) }
        break
      }
      count += 1
      do {
        violations += try await QueueInvariants(
          ledger: life.ledger, directory: survivor, bootID: bootID,
          isRestBehind: point.isMultiple(of: 2)
        ).violations().map { "point \(point): \($0)" }
      } catch {
        violations.append("point \(point): \(error)")
      }
    }
    return (count, kinds, violations)
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash at any moment of a queue's life breaks no promise`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    // A killed process leaves less to chance: every third step is enough, from one that the seed
    // chooses.
    let (first, step) = crash == .kill ? (Int(TestSeed.value % 3), 3) : (0, 1)
    let steps = stride(from: first, to: 1000, by: step)
    let (points, kinds, violations) = try await Self.replay(crash: crash, points: steps)
    #expect(violations == [])
    #expect(points > 60)
    print("crash replay of a queue's life: \(crash), \(points) points, 0 violations expected")
    // Every kind of step has happened on the way.
    for kind in [
      "did park", "did retry", "did evict", "did delete", "did quarantine", "did duplicates",
      "did resumeState", "did pause", "did done", "did boot", "unlink ballast", "allocate ballast",
    ] { #expect(kinds.contains(kind), "\(kind) is not in \(kinds.sorted())") }
  }

  @Test func `A crash in the middle of the recovery from a crash breaks no promise`() async throws {
    var points = 0
    for first in stride(from: 125, to: 215, by: 15) {
      let origin = TestDirectory()
      let fullDisk = Trigger()
      let files = QueueLife.layer(
        origin.spool, crashAt: first, crash: .powerCut, survivor: origin.path + "/survivor",
        seed: UInt64(first), fullDisk: fullDisk)
      let life = QueueLife(files: files, fullDisk: fullDisk)
      await life.run()
      // Pauses mean nothing in another boot.
      life.ledger.pauses = [nil]
      for second in 0..<100 {
        let directory = TestDirectory()
        let (middle, survivor) = (directory.path + "/middle", directory.path + "/survivor")
        try FileManager.default.copyItem(atPath: origin.path + "/survivor", toPath: middle)
        let recovering = FaultyFileSystem(
          root: middle, crashAt: second, crash: .powerCut, survivor: survivor,
          seed: UInt64(second))
        let spool = try? await Spool.open(
          QueueLife.configuration(middle),
          environment: SpoolEnvironment(files: recovering, bootID: "boot-b"))
        await spool?.close()
        guard recovering.hasCrashed else { break }
        points += 1
        let violations = try await QueueInvariants(
          ledger: life.ledger, directory: survivor, bootID: "boot-c"
        ).violations()
        #expect(violations == [], "crash at \(first), then at \(second) of recovery")
      }
    }
    #expect(points > 40)
    print("crash replay of a queue's recovery: \(points) points, 0 violations expected")
  }

  @Test(arguments: [
    (FaultyFileSystem.Lie.shardSync, "is quarantined, not|still has|has no row"),
    (.itemsSync, "is quarantined, not|has no row"),
  ])
  func `A disk that forgets directories is caught`(
    lie: FaultyFileSystem.Lie, violation: String
  ) async throws {
    let (_, _, violations) = try await Self.replay(
      crash: .powerCut, lies: [lie], points: stride(from: 20, to: 120, by: 3))
    let expression = try Regex(violation)
    #expect(violations.contains { $0.contains(expression) }, "\(violations)")
  }

  /// A power cut brings a deleted picture back into the quarantine when its row is pruned.
  @Test(arguments: [false, true])
  func `A deleted picture does not come back into the quarantine`(isLied: Bool) async throws {
    var found = 0
    for seed in 0..<20 {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let stop = Trigger()
      let files = FaultyFileSystem(
        root: directory.spool, crash: .powerCut, survivor: survivor, seed: UInt64(seed),
        lies: isLied ? [.quarantineSync] : [], stop: stop)
      let numbers = NumberSource(seed: 9)
      let spool = try await Spool.open(
        directory.configuration { $0.historyItems = 0 },
        environment: SpoolEnvironment(
          files: files, bootID: "b", random: { numbers.next() & ~0xff | 0x42 }))
      let item = try await spool.store(.sample(1))
      try files.damage(item.path)
      _ = try await spool.verifyForDelivery(item.id)
      try await spool.delete(item.id, confirming: item.id)
      for number in 2...3 { _ = try await spool.store(.sample(number)) }
      #expect(try await spool.item(item.id) == nil)
      stop.arm()
      _ = try? await spool.store(.sample(4))
      await spool.close()
      #expect(files.hasCrashed)
      let again = try await Spool.open(
        directory.configuration { $0.directory = survivor },
        environment: SpoolEnvironment(bootID: "c"))
      found += again.recovery.foundQuarantined
      await again.close()
    }
    #expect((found > 0) == isLied)
  }
}
