import Devices

/// The turns of listings: only one slice of all listings at a time waits for the spool.
///
/// A store meanwhile waits for one slice at most, however many listings there are.
actor ListingTurns {
  private var gate = FairGate()

  /// Reads a slice when the slices that were asked for before are read.
  func read<Value: Sendable>(
    _ slice: @Sendable () async throws(SpoolError) -> Value
  ) async throws(SpoolError) -> Value {
    if !gate.take() { await withCheckedContinuation { gate.wait($0) } }
    defer { gate.leave() }
    return try await slice()
  }
}
