@testable import Spool

extension PressEntry {
  /// A press of the button in flight, as ``NewItem/sample(_:bytes:)`` has it.
  static func sample(
    _ number: Int64, boot: String? = "b", _ outcome: Outcome? = nil
  ) -> PressEntry {
    var entry = PressEntry(
      number: number,
      time: CaptureTime(
        bootID: boot, monotonicNanoseconds: number * 1_000_000_000,
        wallNanoseconds: 1_795_219_200_000_000_000 + number, wallTrust: .estimated),
      source: "button")
    entry.gesture = "single"
    entry.button = "shutter"
    entry.readiness = "ready"
    entry.outcome = outcome
    return entry
  }
}

extension Spool {
  /// Writes everything that waits.
  func writeAllPresses() throws(SpoolError) {
    while try writePresses() {}
  }

  /// Numbers and outcomes of the whole ledger, the newest first.
  nonisolated func outcomes() async throws -> [Int64: PressEntry.Outcome?] {
    let entries = try await presses(PressQuery(limit: 10_000))
    return Dictionary(entries.map { ($0.number, $0.outcome) }, uniquingKeysWith: { $1 })
  }
}
