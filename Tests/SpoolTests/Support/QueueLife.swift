import Devices
import Foundation
import Glibc

@testable import Spool

/// The promises about each item when the machine stopped, and the pending requests.
struct QueueLedger {
  /// The states that a caller can distinguish; a row may be pruned once the item is gone.
  enum Fate: Hashable {
    case stored, parked, gone, quarantined, evicted
  }

  /// The states that each acknowledged item may be in.
  ///
  /// These are the last promised state and the state being asked for when the machine stopped.
  var fates: [ItemID: Set<Fate>] = [:]
  var bytes: [ItemID: [UInt8]] = [:]
  var offered: Set<[UInt8]> = []
  var resume: [ItemID: Set<String?>] = [:]
  var isSynchronized = false
  var pauses: Set<Int64?> = [nil]
}

/// The life of a queue in which each operation that changes it happens once or more.
final class QueueLife {
  static let bootID = "boot-a"
  static let offset: Int64 = 1_795_000_000_000_000_000
  private let files: FaultyFileSystem
  private let fullDisk: Trigger
  private var spool: Spool?
  var ledger = QueueLedger()

  /// - Parameter fullDisk: the trigger that, while armed, leaves `files` no room for a commit as
  ///   long as there is ballast.
  init(files: FaultyFileSystem, fullDisk: Trigger) {
    self.files = files
    self.fullDisk = fullDisk
  }

  static func configuration(_ directory: String) -> SpoolConfiguration {
    SpoolConfiguration(
      directory: directory, rigID: "rig-1", minimumFreeBytes: 0, maximumItems: 5,
      whenFull: .evictOldest, historyItems: 2, ballastBytes: 65_536)
  }

  /// Makes a layer whose disk is full for commits while the trigger is armed and ballast exists.
  static func layer(
    _ root: String, crashAt: Int?, crash: FaultyFileSystem.Crash, survivor: String, seed: UInt64,
    lies: Set<FaultyFileSystem.Lie> = [], fullDisk: Trigger
  ) -> FaultyFileSystem {
    FaultyFileSystem(
      root: root, crashAt: crashAt, crash: crash, survivor: survivor, seed: seed, lies: lies
    ) { step in
      guard case .willCommit = step, fullDisk.isArmed, access(root + "/ballast", F_OK) == 0 else {
        return nil
      }
      return ENOSPC
    }
  }

  /// Runs until the end or until the machine stops.
  func run() async {
    do {
      let numbers = NumberSource(seed: 9)
      let spool = try await Spool.open(
        Self.configuration(files.root),
        environment: SpoolEnvironment(
          files: files, bootID: Self.bootID, wallNanoseconds: { 1_795_219_200_000_000_000 },
          bootTimeNanoseconds: { 1000 },
          // All items are in one shard, so that removals become durable with the next picture.
          random: { numbers.next() & ~0xff | 0x42 }))
      self.spool = spool
      try await live(spool)
      await spool.close()
    } catch {
      // The machine has stopped; the ledger has the promises.
    }
  }

  private func live(_ spool: Spool) async throws {
    let a = try await store(spool, 1)
    let b = try await store(spool, 2)
    try await keep(spool, a, "first")
    try await spool.recordAttempt(a, failure: .sample, isItemFault: true)
    try await keep(spool, a, "second")
    try await change(a, to: .parked) { try await spool.park(a, failure: .sample) }
    try await finish(spool, expecting: b)
    // The same picture is stored again, and is done as soon as a delivery is asked for.
    let again = try await store(spool, 2, sequence: 3)
    _ = try await change(again, to: .gone) { try await spool.nextDelivery() }
    try await spool.noteSynchronized(
      wallMinusMonotonicNanoseconds: Self.offset, source: "test")
    if !files.hasCrashed { ledger.isSynchronized = true }
    try await pause(spool, 500)
    try await change(a, to: .stored) { try await spool.retry(a) }
    let c = try await store(spool, 4)
    try await change(c, to: .parked) {
      guard try await spool.nextDelivery()?.id == a else { return }
      guard try await spool.nextDelivery()?.id == c else { return }
      try await spool.park(c, failure: .sample)
    }
    await spool.release(a)
    // The sixth picture pushes the oldest out.
    for number in 5...7 { _ = try await store(spool, number) }
    _ = try await storeEvicting(spool, 8, oldest: a)
    try await change(c, to: .stored) { try await spool.retryAllParked() }
    try await change(c, to: .evicted) { try await spool.delete(c, confirming: c) }
    try await damageAndDelete(spool)
    fullDisk.arm()
    try await finish(spool)
    fullDisk.disarm()
    try await pause(spool, nil)
    for number in 9...11 {
      _ = try await store(spool, number)
      try await finish(spool)
    }
  }

  private func store(_ spool: Spool, _ number: Int, sequence: Int? = nil) async throws -> ItemID {
    var item = NewItem.sample(number)
    item.metadata.captured = CaptureTime(
      bootID: Self.bootID, monotonicNanoseconds: Int64(sequence ?? number),
      wallNanoseconds: 7, wallTrust: .estimated)
    ledger.offered.insert(item.bytes)
    let stored = try await spool.store(item)
    if !files.hasCrashed {
      ledger.fates[stored.id] = [.stored]
      ledger.bytes[stored.id] = item.bytes
      ledger.resume[stored.id] = [nil]
    }
    return stored.id
  }

  private func storeEvicting(_ spool: Spool, _ number: Int, oldest: ItemID) async throws -> ItemID {
    ledger.fates[oldest]?.insert(.evicted)
    let id = try await store(spool, number)
    if !files.hasCrashed { ledger.fates[oldest] = [.evicted] }
    return id
  }

  /// Asks for a change, which has happened when the call returns and may have before.
  @discardableResult
  private func change<Value>(
    _ id: ItemID, to fate: QueueLedger.Fate, _ body: () async throws -> Value
  ) async throws -> Value {
    // An item that was not acknowledged has no promise to be broken.
    ledger.fates[id]?.insert(fate)
    let value = try await body()
    if !files.hasCrashed { ledger.fates[id] = [fate] }
    return value
  }

  private func keep(_ spool: Spool, _ id: ItemID, _ text: String) async throws {
    ledger.resume[id, default: []].insert(text)
    try await spool.keepResumeState(text, of: id)
    if !files.hasCrashed { ledger.resume[id] = [text] }
  }

  private func pause(_ spool: Spool, _ remaining: Int64?) async throws {
    ledger.pauses.insert(remaining)
    try await spool.keepPause(
      remaining.map { KeptPause(remainingNanoseconds: $0, failure: .sample) })
    if !files.hasCrashed { ledger.pauses = [remaining] }
  }

  private func finish(_ spool: Spool, expecting id: ItemID? = nil) async throws {
    guard let delivery = try await spool.nextDelivery(), !files.hasCrashed else { return }
    precondition(id == nil || delivery.id == id, "\(delivery.id) instead of \(id as Any)")
    try await change(delivery.id, to: .gone) {
      try await spool.complete(delivery.id, receipt: .sample(delivery))
    }
  }

  private func damageAndDelete(_ spool: Spool) async throws {
    guard let delivery = try await spool.nextDelivery(), !files.hasCrashed else { return }
    try files.damage(delivery.path)
    ledger.bytes[delivery.id] = Array("damaged".utf8)
    ledger.offered.insert(Array("damaged".utf8))
    try await change(delivery.id, to: .quarantined) {
      _ = try await spool.verifyForDelivery(delivery.id)
    }
    try await change(delivery.id, to: .evicted) {
      try await spool.delete(delivery.id, confirming: delivery.id)
    }
  }
}

extension DeliveryFailure {
  /// A failure as a server would report it.
  static let sample = DeliveryFailure(code: "refused", message: "no", httpStatus: 503)
}
