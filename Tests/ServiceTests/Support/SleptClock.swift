import Devices
import TestSupport

/// A clock that moves only as far as its sleepers sleep, and by hand.
struct SleptClock: MonotonicClock {
  let manual: ManualClock

  var now: MonotonicInstant { manual.now }

  func sleep(until instant: MonotonicInstant) async throws {
    try await SystemMonotonicClock().sleep(for: now.duration(to: instant))
    manual.advance(to: instant)
  }
}
