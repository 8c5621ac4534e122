import Foundation
import GRDB
import TestSupport
import Testing

@testable import Spool

/// Random operations on a real spool and on a simple model of it, with reopening in between.
///
/// After each operation, everything visible is the same.
struct QueueModelTests {
  static let backup = TargetID(rawValue: "backup")
  static let both = [TargetID.primary, backup]

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `The spool does what the model does`(run: UInt64) async throws {
    let seed = TestSeed.value &+ run
    print("property: seed \(seed)")
    var player = try Player(seed: seed)
    try await player.open()
    for step in 0..<220 {
      let name = try await player.step()
      let differences = try await player.differences()
      #expect(differences == [], "seed \(seed), step \(step): \(name)")
      if !differences.isEmpty { break }
    }
    await player.spool?.close()
  }

  struct Player {
    let directory: TestDirectory
    var random: SeededGenerator
    var model: QueueModel
    var spool: Spool?
    var boot = 0

    init(seed: UInt64) throws {
      directory = TestDirectory()
      random = SeededGenerator(seed: seed)
      model = QueueModel(targets: QueueModelTests.both, maximumItems: 12)
    }

    mutating func open() async throws {
      await spool?.close()
      boot += Int.random(in: 0...1, using: &random)
      let choices: [[TargetID]] = [QueueModelTests.both, QueueModelTests.both, [.primary]]
      model.targets = choices.randomElement(using: &random) ?? QueueModelTests.both
      model.claims = [:]
      let targets = model.targets
      var environment = SpoolEnvironment(bootID: "boot-\(boot)")
      // The rest of the start is compared while the operations go on.
      if Bool.random(using: &random) { environment.entriesOfStart = 0 }
      spool = try await Spool.open(
        directory.configuration {
          $0.targets = targets
          $0.maximumItems = 12
          $0.whenFull = .evictOldest
        }, environment: environment)
      #expect(spool?.recovery.isClean == true)
    }

    /// Carries out an operation on both, and returns its description.
    mutating func step() async throws -> String {
      guard let spool else { return "" }
      let target = QueueModelTests.both.randomElement(using: &random) ?? .primary
      let item = model.items.randomElement(using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<28: return try await store(spool)
      case 28..<50:
        let excluded = Set(
          model.items.map(\.id).filter { _ in Int.random(in: 0..<8, using: &random) == 0 })
        let expected = model.next(target, excluding: excluded)
        let found = try await spool.nextDelivery(target: target, excluding: excluded)
        #expect(found?.id == expected)
        #expect(found?.resumeState == expected.flatMap { model.delivery($0, target)?.resumeState })
        return "claim for \(target)"
      case 50..<66: return try await complete(spool, target)
      case 66..<78: return try await fail(spool, item, target)
      case 78..<84: return try await retry(spool, item)
      case 84..<88: return try await release(spool, target)
      case 88..<92: return try await delete(spool, item)
      case 92..<96: return try await damage(spool, item)
      default:
        try await open()
        return "open"
      }
    }

    private mutating func store(_ spool: Spool) async throws -> String {
      let content = Int.random(in: 0..<40, using: &random)
      guard model.evictions() != nil else {
        await #expect(throws: SpoolError.self) { try await spool.store(.sample(content)) }
        return "store refused"
      }
      let stored = try await spool.store(.sample(content))
      model.store(stored.id, content: content, bytes: stored.byteCount)
      return "store"
    }

    private mutating func complete(_ spool: Spool, _ target: TargetID) async throws -> String {
      guard let id = model.claimed(target).randomElement(using: &random),
        let stored = try await spool.item(id)
      else { return "nothing to complete" }
      let receipt = Receipt(
        url: "u", remoteName: stored.remoteName, sha256: stored.sha256, httpStatus: 201,
        wallNanoseconds: 0)
      try await spool.complete(id, receipt: receipt, target: target)
      model.claims[target]?.remove(id)
      model.change(id, target) {
        $0.state = .done
        $0.resumeState = nil
      }
      return "complete \(id)"
    }

    /// Records an attempt, a parking or a resume state, also for an item that does not wait.
    private mutating func fail(
      _ spool: Spool, _ item: QueueModel.Item?, _ target: TargetID
    ) async throws -> String {
      guard let item else { return "nothing to fail" }
      let isPending = model.delivery(item.id, target)?.state == .pending
      let kind = Int.random(in: 0...2, using: &random)
      let text = "resume \(random.next())"
      do throws(SpoolError) {
        switch kind {
        case 0:
          try await spool.recordAttempt(
            item.id, failure: .sample, target: target, isItemFault: true)
        case 1: try await spool.park(item.id, failure: .sample, target: target)
        default: try await spool.keepResumeState(text, of: item.id, target: target)
        }
        #expect(isPending)
      } catch {
        #expect(!isPending, "\(error)")
      }
      if kind != 2 { model.claims[target]?.remove(item.id) }
      guard isPending else { return "failing \(item.id) refused" }
      model.change(item.id, target) { delivery in
        switch kind {
        case 0, 1:
          delivery.attempts += 1
          delivery.itemFailures += 1
          if kind == 1 { delivery.state = .parked }
        default: delivery.resumeState = text
        }
      }
      return "failure \(kind) of \(item.id)"
    }

    private mutating func retry(_ spool: Spool, _ item: QueueModel.Item?) async throws -> String {
      if Bool.random(using: &random) {
        var count = 0
        for item in model.items {
          for target in item.deliveries.filter({ $0.value.state == .parked }).keys {
            count += 1
            model.change(item.id, target) {
              $0.state = .pending
              $0.itemFailures = 0
            }
          }
        }
        #expect(try await spool.retryAllParked() == count)
        return "retry all"
      }
      guard let item else { return "nothing to retry" }
      let parked = item.deliveries.filter { $0.value.state == .parked }.map(\.key)
      do throws(SpoolError) {
        try await spool.retry(item.id)
        #expect(!parked.isEmpty)
      } catch {
        #expect(parked.isEmpty, "\(error)")
      }
      for target in parked {
        model.change(item.id, target) {
          $0.state = .pending
          $0.itemFailures = 0
        }
      }
      return "retry \(item.id)"
    }

    private mutating func release(_ spool: Spool, _ target: TargetID) async throws -> String {
      guard let id = model.claimed(target).randomElement(using: &random) else { return "none" }
      await spool.release(id, target: target)
      model.claims[target]?.remove(id)
      return "release \(id)"
    }

    private mutating func delete(
      _ spool: Spool, _ item: QueueModel.Item?
    ) async throws -> String {
      guard let item else { return "nothing to delete" }
      let isAllowed =
        (model.isWaiting(item) || item.isQuarantined) && !model.isClaimed(item.id)
      do throws(SpoolError) {
        try await spool.delete(item.id, confirming: item.id)
        #expect(isAllowed)
      } catch {
        #expect(!isAllowed, "\(error)")
      }
      if isAllowed { model.evict(item.id) }
      return "delete \(item.id)"
    }

    private mutating func damage(
      _ spool: Spool, _ item: QueueModel.Item?
    ) async throws -> String {
      guard let item, model.isWaiting(item), let record = try await spool.item(item.id) else {
        return "nothing to damage"
      }
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: record.path))
      #expect(try await spool.verifyForDelivery(item.id) == .quarantined(.damaged))
      model.quarantine(item.id)
      return "damage \(item.id)"
    }

    /// Returns the visible differences between the spool and the model.
    func differences() async throws -> [String] {
      guard let spool else { return [] }
      var differences: [String] = []
      let records = try await spool.items(limit: 1000)
      if records.map(\.id) != model.items.map(\.id).reversed() {
        return ["the items are \(records.map(\.id))"]
      }
      let files = TestDirectory.itemFiles(directory.spool)
      for (record, item) in zip(records, model.items.reversed()) {
        let state = record.state == .purged ? .delivered : record.state
        if state != model.state(item) {
          differences.append("\(item.id) is \(record.state), not \(model.state(item))")
        }
        if record.duplicateOf != item.duplicateOf {
          differences.append("\(item.id) is a duplicate of \(record.duplicateOf as Any)")
        }
        let resumes = try await spool.resumeStates(of: record.sequence)
        let deliveries = Dictionary(
          uniqueKeysWithValues: record.deliveries.map { delivery in
            (
              delivery.target,
              QueueModel.Delivery(
                state: delivery.state, attempts: delivery.attempts,
                itemFailures: delivery.itemFailures,
                resumeState: resumes[delivery.target] ?? nil,
                isDuplicate: delivery.receipt?.isDuplicate ?? false)
            )
          })
        if deliveries != item.deliveries { differences.append("\(item.id): \(deliveries)") }
        let hasFiles = files.contains { $0.hasPrefix("items/") && $0.contains("\(item.id)") }
        if hasFiles != model.isWaiting(item) { differences.append("\(item.id): files \(hasFiles)") }
      }
      differences += try await countDifferences(spool)
      return differences
    }

    private func countDifferences(_ spool: Spool) async throws -> [String] {
      let states = model.items.map(model.state)
      let waiting = model.items.filter(model.isWaiting)
      let expected = SpoolCounts(
        stored: states.count { $0 == .stored }, delivering: states.count { $0 == .delivering },
        delivered: states.count { $0 == .delivered },
        quarantined: states.count { $0 == .quarantined },
        bytesWaiting: waiting.reduce(0) { $0 + $1.bytes },
        parked: states.count { $0 == .parked }, evicted: states.count { $0 == .evicted })
      let counts = try await spool.counts()
      return counts == expected ? [] : ["counts are \(counts), not \(expected)"]
    }
  }
}

extension Spool {
  /// Returns the resume states in an item's deliveries, which callers see only after a claim.
  fileprivate func resumeStates(of sequence: Int64) throws -> [TargetID: String?] {
    try look { storage throws(SpoolError) in
      try storage.index.read { database in
        let rows = try Row.fetchAll(
          database, sql: "SELECT target, resume_state FROM delivery WHERE item = ?",
          arguments: [sequence])
        return Dictionary(
          uniqueKeysWithValues: rows.map { row in
            (TargetID(rawValue: row["target"]), row["resume_state"] as String?)
          })
      }
    }
  }
}
