import Devices
import Foundation

@testable import Spool

/// The invariants of a queue that is opened after a crash of a ``QueueLife``.
struct QueueInvariants {
  var ledger: QueueLedger
  var directory: String
  /// The boot in which the queue is opened; the clocks go on in the same boot.
  var bootID = QueueLife.bootID
  /// Whether the first start compares all files only after the spool is open.
  var isRestBehind = false

  func violations() async throws -> [String] {
    let configuration = QueueLife.configuration(directory)
    var environment = SpoolEnvironment(bootID: bootID, bootTimeNanoseconds: { 1000 })
    if isRestBehind { environment.entriesOfStart = 0 }
    let spool = try await Spool.open(configuration, environment: environment)
    await spool.rest?.value
    environment.entriesOfStart = .max
    let items = try await spool.items(limit: 1000)
    var violations = check(items, try await spool.auditEvents())
    let pause = try await spool.keptPause()?.remainingNanoseconds
    if !ledger.pauses.contains(pause) { violations.append("the pause is \(pause as Any)") }
    let verification = try await spool.verify()
    violations += verification.findings.map { "verify: \($0)" }
    let counts = try await spool.counts()
    await spool.close()

    let files = TestDirectory.itemFiles(directory)
    let again = try await Spool.open(configuration, environment: environment)
    if !again.recovery.isClean { violations.append("a second start found \(again.recovery)") }
    if try await again.items(limit: 1000) != items {
      violations.append("a second start changed the items")
    }
    if try await again.counts() != counts { violations.append("a second start counts otherwise") }
    if TestDirectory.itemFiles(directory) != files {
      violations.append("a second start changed the files")
    }
    // No item is stuck: every waiting item is delivered, parked or not.
    _ = try await again.retryAllParked()
    while let delivery = try await again.nextDelivery() {
      if try await again.verifyForDelivery(delivery.id) == .intact {
        try await again.complete(delivery.id, receipt: .sample(delivery))
      } else {
        violations.append("\(delivery.id) is not intact")
      }
    }
    if try await again.counts().bytesWaiting != 0 { violations.append("something is stuck") }
    if !TestDirectory.itemFiles(directory).allSatisfy({ $0.hasPrefix("quarantine/") }) {
      violations.append("files are left: \(TestDirectory.itemFiles(directory))")
    }
    await again.close()
    return violations
  }

  private func check(_ items: [ItemRecord], _ events: [AuditEvent]) -> [String] {
    var violations: [String] = []
    let known = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for (id, fates) in ledger.fates {
      guard let item = known[id] else {
        // Only rows of items that are gone may have been pruned.
        if fates.isDisjoint(with: [.gone, .evicted]) { violations.append("\(id) has no row") }
        continue
      }
      let fate = Self.fate(item.state)
      if !fates.contains(fate) { violations.append("\(id) is \(item.state), not \(fates)") }
    }
    for item in items {
      violations += check(item, Self.fate(item.state))
      let isWrittenDown = events.contains {
        $0.item == item.id && [.evicted, .deleted].contains($0.kind)
      }
      if item.state == .evicted, !isWrittenDown {
        violations.append("\(item.id) was given up and nobody knows")
      }
    }
    let leftovers = TestDirectory.itemFiles(directory).filter { $0.hasSuffix(".part") }
    violations += leftovers.map { "\($0) is left" }
    let ballast = directory + "/ballast"
    if let size = try? FileManager.default.attributesOfItem(atPath: ballast)[.size] as? Int,
      size != 65_536
    {
      violations.append("the ballast has \(size) bytes")
    }
    return violations
  }

  private func check(_ item: ItemRecord, _ fate: QueueLedger.Fate) -> [String] {
    var violations: [String] = []
    let files = TestDirectory.files(of: item.id, in: directory)
    switch fate {
    case .stored, .parked:
      let bytes = FileManager.default.contents(atPath: item.path).map { Array($0) }
      if !(bytes.map(ledger.offered.contains) ?? false) {
        violations.append("\(item.id) is torn or missing")
      }
      if let known = ledger.bytes[item.id], bytes != known {
        violations.append("\(item.id) is not intact")
      }
      if files.count != 2 { violations.append("\(item.id) has \(files)") }
    case .gone:
      if !files.isEmpty { violations.append("done \(item.id) still has \(files)") }
      if item.deliveries.contains(where: { $0.receipt == nil }) {
        violations.append("\(item.id) is done without a receipt")
      }
    case .evicted:
      if !files.isEmpty { violations.append("evicted \(item.id) still has \(files)") }
    case .quarantined: break
    }
    // An item that was never acknowledged may have come without its sidecar.
    if ledger.isSynchronized, ledger.fates[item.id] != nil {
      let expected = item.metadata.captured.monotonicNanoseconds.map { $0 + QueueLife.offset }
      if item.captured.wallTrust != .synchronized || item.captured.wallNanoseconds != expected {
        violations.append("\(item.id) was taken at \(item.captured)")
      }
    }
    return violations
  }

  private static func fate(_ state: ItemState) -> QueueLedger.Fate {
    switch state {
    case .stored, .delivering: .stored
    case .parked: .parked
    case .delivered, .purged: .gone
    case .quarantined: .quarantined
    case .evicted: .evicted
    }
  }
}
