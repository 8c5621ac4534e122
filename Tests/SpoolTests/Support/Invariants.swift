import Foundation

@testable import Spool

/// The invariants of a spool that is opened after a crash.
struct Invariants {
  var ledger: Ledger
  var configuration: SpoolConfiguration
  /// Whether the first start compares all files only after the spool is open.
  var isRestBehind = false

  /// Opens the remains of the crash twice, and returns all violations.
  func violations() async throws -> [String] {
    var violations: [String] = []
    // The boot is another one, as a power cut ends the old one.
    var environment = SpoolEnvironment(bootID: "boot-b")
    if isRestBehind { environment.entriesOfStart = 0 }
    let spool = try await Spool.open(configuration, environment: environment)
    await spool.rest?.value
    await spool.finishAdoption()
    environment.entriesOfStart = .max
    violations += check(try await state(of: spool))
    violations += try await checkNumbers(of: spool)
    let first = try await state(of: spool)
    await spool.close()

    let settled = TestDirectory.itemFiles(configuration.directory)
    let again = try await Spool.open(configuration, environment: environment)
    await again.finishAdoption()
    if !again.recovery.isClean { violations.append("a second start found \(again.recovery)") }
    let second = try await state(of: again)
    if second != first { violations.append("a second start changed the items") }
    if TestDirectory.itemFiles(configuration.directory) != settled {
      violations.append("a second start changed the files")
    }
    violations += try await checkDeliveries(of: again)
    await again.close()
    return violations
  }

  private struct State: Equatable {
    var items: [ItemRecord]
    var counts: SpoolCounts
  }

  private func state(of spool: Spool) async throws -> State {
    State(items: try await spool.recentItems(limit: 1000), counts: try await spool.counts())
  }

  private func check(_ state: State) -> [String] {
    var violations: [String] = []
    let items = Dictionary(state.items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let files = TestDirectory.itemFiles(configuration.directory)
    for (id, bytes) in ledger.acknowledged {
      guard let item = items[id] else {
        violations.append("acknowledged \(id) has no row")
        continue
      }
      switch item.state {
      case .stored, .delivering, .parked:
        if ledger.completed.contains(id) { violations.append("completed \(id) waits again") }
        let versions = [bytes, ledger.finals[id] ?? bytes]
        if !ledger.damaged.contains(id), !versions.contains(content(item.path) ?? []) {
          violations.append("acknowledged \(id) is not intact")
        }
        if ledger.proxies.contains(id), !item.metadata.isProxy, item.metadata.averagedFrames == nil
        {
          violations.append("proxy \(id) has neither its source nor its final picture")
        }
        if !files.contains(where: { $0.hasSuffix("\(id).json") }) {
          violations.append("acknowledged \(id) has no sidecar")
        }
      case .delivered, .purged:
        if !ledger.receipts.contains(id) { violations.append("\(id) is done without a receipt") }
      case .quarantined:
        if !ledger.damaged.contains(id) { violations.append("acknowledged \(id) is quarantined") }
      case .evicted:
        violations.append("acknowledged \(id) was given up")
      }
    }
    for item in state.items {
      switch item.state {
      case .stored, .delivering, .parked:
        if !ledger.damaged.contains(item.id),
          !(content(item.path).map(ledger.offered.contains) ?? false)
        {
          violations.append("queued \(item.id) is torn or missing")
        }
      case .delivered, .purged:
        if item.deliveries.contains(where: { $0.receipt == nil }) {
          violations.append("\(item.id) is done without a receipt")
        }
        if files.contains(where: { $0.contains(item.id.description) }) {
          violations.append("done \(item.id) still has files")
        }
      case .quarantined, .evicted: break
      }
    }
    violations += files.filter { $0.hasSuffix(".part") }.map { "\($0) is left" }
    return violations
  }

  private func checkNumbers(of spool: Spool) async throws -> [String] {
    var violations: [String] = []
    let known = try await spool.recentItems(limit: 1000).map(\.id.sequence).max() ?? 0
    let latest = max(known, ledger.acknowledged.keys.map(\.sequence).max() ?? 0)
    let stored = try await spool.store(.sample(424_242))
    if stored.id.sequence <= latest { violations.append("sequence \(stored.id.sequence) again") }
    let reserved = try await spool.reservePressNumbers(count: 1)
    if reserved.lowerBound < ledger.pressNumbers {
      violations.append("press number \(reserved.lowerBound) again")
    }
    guard let delivery = try await newest(spool, stored.id) else {
      return violations + ["the new picture is not delivered"]
    }
    try await spool.complete(delivery.id, receipt: .sample(delivery))
    return violations
  }

  private func newest(_ spool: Spool, _ id: ItemID) async throws -> Delivery? {
    var claimed: [ItemID] = []
    var found: Delivery?
    while let delivery = try await spool.nextDelivery() {
      claimed.append(delivery.id)
      if delivery.id == id { found = delivery }
    }
    for other in claimed where other != id { await spool.release(other) }
    return found
  }

  /// Checks that all queued items but the damaged ones can be delivered, in order.
  private func checkDeliveries(of spool: Spool) async throws -> [String] {
    var violations: [String] = []
    var previous: Int64 = 0
    while let delivery = try await spool.nextDelivery() {
      if delivery.id.sequence <= previous { violations.append("\(delivery.id) is out of order") }
      previous = delivery.id.sequence
      if try await spool.verifyForDelivery(delivery.id) != .intact,
        !ledger.damaged.contains(delivery.id)
      {
        violations.append("\(delivery.id) is not intact")
      }
    }
    while let id = try await spool.nextProxy()?.id {
      let source = try await spool.beginFinal(of: id)
      if !ledger.offered.contains(source) { violations.append("source of \(id) is torn") }
    }
    return violations
  }

  private func content(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }
}
