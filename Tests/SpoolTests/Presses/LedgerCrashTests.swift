import Devices
import Foundation
import TestSupport
import Testing

@testable import Spool

/// The promises about presses that a caller had when the machine stopped.
struct PressPromises {
  /// Presses whose pictures were acknowledged.
  var stored: [Int64: ItemID] = [:]
  /// Refusals that `writePresses` has put on stable storage.
  var refused: [Int64: String] = [:]
  /// The presses that `writePresses` has entered, whatever their outcome.
  var begun: Set<Int64> = []
}

/// A random life of presses: begun, stored, refused, with restarts in between.
struct PressLife {
  var seed: UInt64
  var steps = 26

  func run(on files: FaultyFileSystem, configuration: SpoolConfiguration) async -> PressPromises {
    var promises = PressPromises()
    do {
      let numbers = NumberSource(seed: seed)
      let environment = SpoolEnvironment(
        files: files, bootID: "boot-a", wallNanoseconds: { 1_795_219_200_000_000_000 },
        random: { numbers.next() })
      var random = SeededGenerator(seed: seed)
      var spool = try await Spool.open(configuration, environment: environment)
      var unwritten = PressPromises()
      var inFlight: [Int64] = []
      var next: Int64 = 1
      for _ in 0..<steps {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2:
          spool.enter(Self.entry(next))
          inFlight.append(next)
          unwritten.begun.insert(next)
          next += 1
        case 3:
          // The press is refused at once.
          spool.enter(Self.entry(next, .refused("r\(next)")))
          unwritten.refused[next] = "r\(next)"
          next += 1
        case 4:
          guard let number = inFlight.popLast() else { continue }
          spool.enter(Self.entry(number, .refused("r\(number)")))
          unwritten.refused[number] = "r\(number)"
        case 5, 6:
          guard let number = inFlight.first else { continue }
          inFlight.removeFirst()
          var item = NewItem.sample(Int(number), bytes: 900)
          item.metadata.captured.bootID = "boot-a"
          let stored = try await spool.store(item)
          if !files.hasCrashed { promises.stored[number] = stored.id }
          spool.enter(Self.entry(number, .stored([stored.id])))
        case 7:
          try await spool.writeAllPresses()
          guard !files.hasCrashed else { return promises }
          promises.refused.merge(unwritten.refused) { $1 }
          promises.begun.formUnion(unwritten.begun)
          unwritten = PressPromises()
        default:
          guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
          // The service is killed: unwritten entries are forgotten, and no press is in flight.
          await spool.close()
          inFlight = []
          unwritten = PressPromises()
          spool = try await Spool.open(configuration, environment: environment)
        }
      }
      try await spool.writeAllPresses()
      await spool.close()
    } catch {
      // The machine has stopped.
    }
    return promises
  }

  private static func entry(_ number: Int64, _ outcome: PressEntry.Outcome? = nil) -> PressEntry {
    .sample(number, boot: "boot-a", outcome)
  }
}

/// The invariants of the ledger after a crash of a ``PressLife``.
struct PressInvariants {
  var promises: PressPromises
  var configuration: SpoolConfiguration

  func violations() async throws -> [String] {
    let environment = SpoolEnvironment(bootID: "boot-b")
    var spool = try await Spool.open(configuration, environment: environment)
    let entries = try await spool.presses(PressQuery(limit: 10_000))
    var violations = check(entries, try await spool.recentItems(limit: 1000))
    let counts = try await spool.pressCounts().counts
    let kept = Dictionary(grouping: entries) {
      "\(PressQuery.Outcome($0.outcome)) \($0.reason ?? "")"
    }
    .mapValues(\.count)
    let counted = Dictionary(
      counts.map { ("\($0.outcome) \($0.reason ?? "")", $0.kept) }, uniquingKeysWith: { $0 + $1 })
    if counted.filter({ $0.value != 0 }) != kept {
      violations.append("counted are \(counted), there are \(kept)")
    }
    await spool.close()
    spool = try await Spool.open(configuration, environment: environment)
    if !spool.recovery.isClean { violations.append("a second start found \(spool.recovery)") }
    if try await spool.presses(PressQuery(limit: 10_000)) != entries {
      violations.append("a second start changed the ledger")
    }
    await spool.close()
    return violations
  }

  private func check(_ entries: [PressEntry], _ items: [ItemRecord]) -> [String] {
    var violations: [String] = []
    let numbers = entries.map(\.number)
    if numbers != Set(numbers).sorted(by: >) { violations.append("the numbers are \(numbers)") }
    let known = Dictionary(entries.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    for (number, id) in promises.stored where known[number]?.items != [id] {
      violations.append("stored \(number) is \(known[number]?.outcome as Any)")
    }
    for (number, reason) in promises.refused where known[number]?.outcome != .refused(reason) {
      violations.append("refused \(number) is \(known[number]?.outcome as Any)")
    }
    for number in promises.begun where known[number]?.outcome == nil {
      violations.append("begun \(number) is missing or has no outcome")
    }
    let pictures = Dictionary(grouping: items) { $0.metadata.pressNumber }
    for entry in entries {
      let there = pictures[entry.number]?.map(\.id) ?? []
      switch entry.outcome {
      case nil: violations.append("\(entry.number) has no outcome")
      case .stored(let items):
        if items != there { violations.append("\(entry.number) has \(there), not \(items)") }
      case .refused(let reason):
        if !there.isEmpty { violations.append("\(entry.number) is \(reason) and has \(there)") }
      }
    }
    for item in items {
      if let number = item.metadata.pressNumber, known[number] == nil {
        violations.append("picture \(number) has no entry")
      }
    }
    return violations
  }
}

struct LedgerCrashTests {
  static func replay(
    seed: UInt64, crash: FaultyFileSystem.Crash, points: any Sequence<Int>
  ) async throws -> (points: Int, violations: [String]) {
    var count = 0
    var violations: [String] = []
    for point in points {
      let directory = TestDirectory()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: crash, survivor: survivor,
        seed: seed &* 1_000_003 &+ UInt64(point))
      let promises = await PressLife(seed: seed).run(
        on: files, configuration: directory.configuration())
      guard files.hasCrashed else { break }
      count += 1
      do {
        violations += try await PressInvariants(
          promises: promises, configuration: directory.configuration { $0.directory = survivor }
        ).violations().map { "seed \(seed) point \(point): \($0)" }
      } catch {
        violations.append("seed \(seed) point \(point): \(error)")
      }
    }
    return (count, violations)
  }

  @Test(arguments: FaultyFileSystem.Crash.allCases, [2, 7] as [UInt64])
  func `A crash before any step leaves every press with one outcome`(
    crash: FaultyFileSystem.Crash, seed: UInt64
  ) async throws {
    let steps = stride(from: 0, to: 1000, by: crash == .kill ? 2 : 1)
    let (points, violations) = try await Self.replay(seed: seed, crash: crash, points: steps)
    #expect(violations == [])
    #expect(points > 25)
    print("ledger crash replay: \(crash), seed \(seed), \(points) points, 0 violations expected")
  }

  @Test func `Random crash points of random lives leave every press with one outcome`() async throws
  {
    let seed = TestSeed.value
    print("ledger crash fuzz: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Repetitions.of(100) {
      let (_, violations) = try await Self.replay(
        seed: random.next() % 1_000_000, crash: Bool.random(using: &random) ? .kill : .powerCut,
        points: [Int.random(in: 0..<90, using: &random)])
      #expect(violations == [], "fuzz seed \(seed)")
    }
  }

  /// The ledger in memory and in SQL agree also without a crash.
  @Test func `Rows absorb entries in the same way as entries do`() async throws {
    let seed = TestSeed.value
    print("ledger merge: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let directory = TestDirectory()
    let spool = try await directory.open()
    let ids = (1...3).compactMap { ItemID("000001-000000000\($0)-00000000000000aa") }
    var model: [Int64: PressEntry] = [:]
    for _ in 0..<Repetitions.of(2000) {
      let entry = Self.random(ids, &random)
      if model[entry.number] == nil {
        model[entry.number] = entry
      } else {
        model[entry.number]?.absorb(entry)
      }
      spool.enter(entry)
      if Int.random(in: 0..<3, using: &random) == 0 { try await spool.writeAllPresses() }
    }
    let found = try await spool.presses(PressQuery(limit: 10_000))
    #expect(found == model.values.sorted { $0.number > $1.number }, "seed \(seed)")
    try await spool.writeAllPresses()
    #expect(try await spool.presses(PressQuery(limit: 10_000)) == found, "seed \(seed)")
    await spool.close()
  }

  private static func random(
    _ ids: [ItemID], _ random: inout SeededGenerator
  ) -> PressEntry {
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
    let number = Int64.random(in: 1...200, using: &random)
    // All entries are of one boot. Two waiting entries of different boots belong to the same press
    // only if the first entry does.
    var entry = PressEntry.sample(number, boot: maybe("b"))
    if Bool.random(using: &random) {
      entry.time.monotonicNanoseconds = nil
      entry.time.wallNanoseconds = nil
      entry.time.wallTrust = .unknown
    }
    entry.gesture = maybe(Gesture.allCases[Int.random(in: 0...3, using: &random)])
    entry.button = maybe("b\(Int.random(in: 0...3, using: &random))")
    entry.bracket = maybe(.standard)
    entry.readiness = maybe(.ready)
    entry.frame = maybe(Int64.random(in: 0...9, using: &random))
    entry.pressToStoredNanoseconds = maybe(Int64.random(in: 0...9, using: &random))
    entry.captureAngle = maybe(90)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      entry.outcome = .stored(
        Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))))
    case 1: entry.outcome = .refused("r\(Int.random(in: 0...3, using: &random))")
    default: break
    }
    return entry
  }
}
