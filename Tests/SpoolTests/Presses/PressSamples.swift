import Devices

@testable import Spool

extension PressEntry {
  /// Makes a press of the button in flight, as ``NewItem/sample(_:bytes:)`` has it.
  static func sample(
    _ number: Int64, boot: String? = "b", _ outcome: Outcome? = nil
  ) -> PressEntry {
    var entry = PressEntry(
      number: number,
      time: CaptureTime(
        bootID: boot, monotonicNanoseconds: number * 1_000_000_000,
        wallNanoseconds: 1_795_219_200_000_000_000 + number, wallTrust: .estimated),
      source: .button)
    entry.gesture = .single
    entry.button = "shutter"
    entry.readiness = .ready
    entry.outcome = outcome
    return entry
  }
}

extension Spool {
  /// Writes all waiting presses.
  func writeAllPresses() throws(SpoolError) {
    while try writePresses() {}
  }

  /// Returns the outcomes of the whole ledger by press number.
  nonisolated func outcomes() async throws -> [Int64: PressEntry.Outcome?] {
    let entries = try await presses(PressQuery(limit: 10_000))
    return Dictionary(entries.map { ($0.number, $0.outcome) }, uniquingKeysWith: { $1 })
  }
}
