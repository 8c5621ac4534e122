import Devices
import Foundation
import Synchronization
import TestSupport

@testable import Spool

/// The promises to a caller of the spool when the machine stopped.
struct Ledger {
  /// The pictures whose `store` has returned, by ID, with their bytes.
  var acknowledged: [ItemID: [UInt8]] = [:]
  /// The bytes of every picture that was handed over, acknowledged or not.
  var offered: Set<[UInt8]> = []
  /// The pictures whose `complete` has returned.
  var completed: Set<ItemID> = []
  /// The pictures for which the server's receipt was handed over.
  var receipts: Set<ItemID> = []
  /// The pictures that were damaged on the medium.
  var damaged: Set<ItemID> = []
  /// The pictures that were stored as proxies, and not kept as such.
  var proxies: Set<ItemID> = []
  /// The final pictures that replace proxies, acknowledged or not.
  var finals: [ItemID: [UInt8]] = [:]
  /// The number below which every press number has been given out.
  var pressNumbers: Int64 = 1
}

/// The life of a spool in which everything happens once or more, the same for the same seed.
struct Workload {
  var seed: UInt64
  var steps = 14

  /// Runs until the workload is done or the machine stops.
  func run(on files: FaultyFileSystem, configuration: SpoolConfiguration) async -> Ledger {
    var ledger = Ledger()
    do {
      let numbers = NumberSource(seed: seed)
      let environment = SpoolEnvironment(
        files: files, bootID: "boot-a", wallNanoseconds: { 1_795_219_200_000_000_000 },
        random: { numbers.next() })
      let spool = try await Spool.open(configuration, environment: environment)
      var random = SeededGenerator(seed: seed)
      for step in 0..<steps {
        try await perform(
          step, on: spool, files: files, random: &random, ledger: &ledger)
      }
      await spool.close()
    } catch {
      // The machine has stopped, or a fault was asked for; the ledger has the promises.
    }
    return ledger
  }

  private func perform(
    _ step: Int, on spool: Spool, files: FaultyFileSystem, random: inout SeededGenerator,
    ledger: inout Ledger
  ) async throws {
    // The first steps are always the same, so that every kind occurs in each run.
    let kind =
      step < 8 ? [0, 0, 1, 2, 3, 4, 5, 6][step] : Int.random(in: 0...6, using: &random)
    switch kind {
    case 0, 5:
      let item = NewItem.sample(
        step + Int(seed % 1000) * 100, bytes: Int.random(in: 1...5000, using: &random))
      ledger.offered.insert(item.bytes)
      let stored =
        try await kind == 0 ? spool.store(item) : spool.storeProxy(item, source: item.bytes)
      if !files.hasCrashed { ledger.acknowledged[stored.id] = item.bytes }
      if stored.isProxy, !files.hasCrashed { ledger.proxies.insert(stored.id) }
    case 1:
      let range = try await spool.reservePressNumbers(
        count: Int.random(in: 1...700, using: &random))
      if !files.hasCrashed { ledger.pressNumbers = range.upperBound }
    case 2:
      guard let delivery = try await spool.nextDelivery() else { return }
      guard try await spool.verifyForDelivery(delivery.id) == .intact else { return }
      if !files.hasCrashed { ledger.receipts.insert(delivery.id) }
      try await spool.complete(delivery.id, receipt: .sample(delivery))
      if !files.hasCrashed { ledger.completed.insert(delivery.id) }
    case 3:
      guard let delivery = try await spool.nextDelivery() else { return }
      try await spool.recordAttempt(
        delivery.id, failure: DeliveryFailure(code: "refused", message: "no", httpStatus: 503))
    case 6:
      guard let id = try await spool.nextProxy()?.id else { return }
      guard step == 7 || Bool.random(using: &random) else {
        ledger.proxies.remove(id)
        return try await spool.keepProxy(id, because: .memory)
      }
      let final = Array(try await spool.beginFinal(of: id).reversed()) + [0]
      ledger.offered.insert(final)
      ledger.finals[id] = final
      try await spool.replace(id, by: final)
      if !files.hasCrashed { ledger.acknowledged[id] = final }
    default:
      guard let delivery = try await spool.nextDelivery(), !files.hasCrashed else { return }
      try files.damage(delivery.path)
      ledger.damaged.insert(delivery.id)
      _ = try await spool.verifyForDelivery(delivery.id)
    }
  }
}

/// Random bits that differ from call to call and are the same in each run.
final class NumberSource: Sendable {
  private let state: Mutex<SeededGenerator>
  init(seed: UInt64) { state = Mutex(SeededGenerator(seed: seed &+ 1)) }
  func next() -> UInt64 { state.withLock { $0.next() } }
}
