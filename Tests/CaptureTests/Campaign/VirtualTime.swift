import Devices
import Foundation
import SimulatedDevices

/// Moves a manual clock from deadline to deadline, as fast as the code under test keeps up with it.
struct VirtualTime {
  let clock: ManualClock
  /// How many loops sleep while a camera streams: the session's tick, its watchdog and the camera.
  var streamingSleepers = 3
  /// In how many looks, of 200 µs and more, nothing may have changed; many more under the sanitizers,
  /// which make everything slower and run beside each other.
  private static let restfulLooks =
    ProcessInfo.processInfo.environment["PLATEN_BRIEF_TESTS"] == nil ? 8 : 60
  /// Goes once through the executor of the code under test, so that what waits there is done.
  let passThrough: @Sendable () async -> Void

  /// Runs until a condition holds or a duration of virtual time has passed.
  ///
  /// - Returns: whether the condition held.
  func run(
    for duration: Duration, until isReached: () async -> Bool = { false }
  ) async -> Bool {
    let end = clock.now.advanced(by: duration)
    while clock.now < end {
      await settle()
      if await isReached() { return true }
      clock.advance(to: min(clock.nextDeadline ?? end, end))
    }
    await settle()
    return await isReached()
  }

  /// Gives the code under test the time to come to rest.
  ///
  /// All loops of a stream asleep is rest, once no thread has anything left to do: on a busy machine
  /// the one that has a frame in hand may stand without a processor while all the others go on.
  /// With fewer asleep, something may still be on its way through an executor, so nothing must have
  /// changed for a while of real time.
  private func settle() async {
    for _ in 0..<20 {
      await passThrough()
      guard clock.sleeperCount >= streamingSleepers else { continue }
      // A frame on its way is leased from the camera, which is another executor.
      for _ in 0..<4 { await passThrough() }
      if isAtRest { return }
    }
    var quiet = 0
    var seen = (clock.sleeperCount, clock.nextDeadline)
    let real = ContinuousClock()
    let patience = real.now.advanced(by: .seconds(30))
    while quiet < Self.restfulLooks, real.now < patience {
      try? await Task.sleep(for: .microseconds(200))
      if isAtRest { return }
      let now = (clock.sleeperCount, clock.nextDeadline)
      quiet = now == seen ? quiet + 1 : 0
      seen = now
      // A frame that is being painted changes nothing for a while, and a machine that is busy with
      // other things may leave a thread without a processor for seconds.
      if quiet == Self.restfulLooks, ProcessThreads.othersRun { quiet -= 1 }
    }
  }

  private var isAtRest: Bool {
    clock.sleeperCount >= streamingSleepers && !ProcessThreads.othersRun
  }
}
