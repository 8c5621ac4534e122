import Devices
import Doctor
import Logging
import ServiceLifecycle
import Spool

/// The service that passes a trustworthy wall-clock time to the spool once a boot.
///
/// A Pi has no clock battery: this time dates the pictures taken before.
struct ClockService: Service {
  /// The interval of asking the kernel, which sends no event when a time source has set its clock.
  static let interval = Duration.seconds(5)

  let spool: Spool
  let clock: any MonotonicClock
  let read: @Sendable (MonotonicInstant) -> WallClockReading
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        let now = clock.now
        let reading = read(now)
        if reading.trust == .synchronized, await note(reading, at: now) { return }
        do { try await clock.sleep(for: Self.interval) } catch { return }
      }
    }
    // A service that returns would end all others.
    try? await gracefulShutdown()
  }

  private func note(_ reading: WallClockReading, at now: MonotonicInstant) async -> Bool {
    let offset = reading.nanosecondsSinceEpoch - now.nanoseconds
    do throws(SpoolError) {
      try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: offset, source: "kernel")
      logger.notice(
        "the clock is synchronized; pictures of this boot have their time",
        metadata: ["clock.offset": "\(offset)"])
      return true
    } catch {
      logger.warning(
        "the time could not be noted, trying again", metadata: ["error": "\(error)"])
      return false
    }
  }
}
