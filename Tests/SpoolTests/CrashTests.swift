import Foundation
import TestSupport
import Testing

@testable import Spool

/// The machine stops before every step of a workload, and the remaining spool is opened.
struct CrashTests {
  /// The result of a replay.
  struct Campaign {
    var points = 0
    var violations: [String] = []
  }

  /// Runs a workload again and again, each time one step further.
  static func replay(
    seed: UInt64, crash: FaultyFileSystem.Crash, lies: Set<FaultyFileSystem.Lie> = [],
    points: [Int]
  ) async throws -> Campaign {
    var campaign = Campaign()
    for point in points {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: crash, survivor: survivor,
        seed: seed &* 1_000_003 &+ UInt64(point), lies: lies)
      let ledger = await Workload(seed: seed).run(
        on: files, configuration: directory.configuration())
      guard files.hasCrashed else { break }
      campaign.points += 1
      let configuration = directory.configuration { $0.directory = survivor }
      do {
        campaign.violations += try await Invariants(
          ledger: ledger, configuration: configuration, isRestBehind: point.isMultiple(of: 2)
        ).violations().map { "seed \(seed) point \(point): \($0)" }
      } catch {
        campaign.violations.append("seed \(seed) point \(point): \(error)")
      }
    }
    return campaign
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases, [1, 3] as [UInt64])
  func `A crash before any step loses nothing`(
    crash: FaultyFileSystem.Crash, seed: UInt64
  ) async throws {
    // A killed process leaves less to chance: every third step is enough, from one that the seed
    // chooses.
    let (first, step) = crash == .kill ? (Int(TestSeed.value % 3), 3) : (0, 1)
    let steps = Array(stride(from: first, to: 1000, by: step))
    let campaign = try await Self.replay(seed: seed, crash: crash, points: steps)
    #expect(campaign.violations == [])
    // The workload is long enough to meet each kind of step, and it was followed to its end.
    #expect((steps.count * 6 / 100..<steps.count).contains(campaign.points))
    print("crash replay: \(crash), seed \(seed), \(campaign.points) points, 0 violations expected")
  }

  @Test func `Random crash points of random workloads lose nothing`() async throws {
    let seed = TestSeed.value
    print("crash fuzz: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Repetitions.of(120) {
      let campaign = try await Self.replay(
        seed: random.next() % 1_000_000, crash: Bool.random(using: &random) ? .kill : .powerCut,
        points: [Int.random(in: 0..<90, using: &random)])
      #expect(campaign.violations == [], "fuzz seed \(seed)")
    }
  }

  /// The violation that each lie causes.
  ///
  /// The directories are tested one at a time, so that each `fsync` proves to be needed.
  static let lies: [(lie: FaultyFileSystem.Lie, violation: String)] = [
    (.fileSync, "acknowledged .* is not intact|acknowledged .* is quarantined"),
    (.shardSync, "acknowledged .* is quarantined|acknowledged .* has no row"),
    (.itemsSync, "acknowledged .* is quarantined|acknowledged .* has no row"),
  ]

  @Test(arguments: lies.map(\.lie))
  func `A disk that does not sync is caught by the same checks`(
    lie: FaultyFileSystem.Lie
  ) async throws {
    let expected = try #require(Self.lies.first { $0.lie == lie }?.violation)
    let campaign = try await Self.replay(
      seed: 1, crash: .powerCut, lies: [lie], points: Array(30..<60))
    let expression = try Regex(expected)
    #expect(campaign.violations.contains { $0.contains(expression) }, "\(campaign.violations)")
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases)
  func `A crash in the middle of recovery loses nothing`(
    crash: FaultyFileSystem.Crash
  ) async throws {
    var points = 0
    // The steps leave recovery something to do: half-written, unadopted and done items.
    for first in stride(from: 12, to: 90, by: 9) {
      let origin = TestDirectory()
      let files = FaultyFileSystem(
        root: origin.spool, crashAt: first, survivor: origin.path + "/survivor",
        seed: UInt64(first))
      let ledger = await Workload(seed: 5).run(on: files, configuration: origin.configuration())
      guard files.hasCrashed else { break }
      for second in 0..<200 {
        let directory = TestDirectory()
        let (middle, survivor) = (directory.path + "/middle", directory.path + "/survivor")
        try FileManager.default.copyItem(atPath: origin.path + "/survivor", toPath: middle)
        let recovering = FaultyFileSystem(
          root: middle, crashAt: second, crash: crash, survivor: survivor, seed: UInt64(second))
        let spool = try? await Spool.open(
          directory.configuration { $0.directory = middle },
          environment: SpoolEnvironment(files: recovering, bootID: "boot-c"))
        await spool?.close()
        guard recovering.hasCrashed else { break }
        points += 1
        let violations = try await Invariants(
          ledger: ledger, configuration: directory.configuration { $0.directory = survivor }
        ).violations()
        #expect(violations == [], "crash at \(first), then at \(second) of recovery")
      }
    }
    #expect(points > 50)
  }
}
