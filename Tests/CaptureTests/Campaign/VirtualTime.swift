import Devices
import TestSupport
import Testing

/// A driver of a manual clock that goes from deadline to deadline as fast as the tested code.
struct VirtualTime {
  let clock: ManualClock
  /// The number of loops that sleep during a stream: the session's two and the camera's.
  var streamingSleepers = 3
  /// The real time after which code without rest hangs; a limit for hangs and not for speed.
  var timeout = Duration.seconds(300)
  /// The number of looks, of 200 µs and more, during which there must be no change.
  ///
  /// The sanitizers need many more: they make all code slower and run beside each other.
  private static let restfulLooks = Repetitions.of(8, brief: 60)
  /// Passes once through the executor of the tested code, so that all waiting work is done.
  let passThrough: @Sendable () async -> Void
  /// Takes a description of code without rest; by default an issue of the test.
  var reportHang: @Sendable (String) -> Void = { Issue.record("\($0)") }

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

  /// Gives the tested code the time to come to rest.
  ///
  /// The code is at rest when all loops of a stream sleep and no thread has work left. On a busy
  /// machine, the thread with a frame may wait for a processor while all others go on. With fewer
  /// sleeping loops, work may still be on its way through an executor. There must then be no change
  /// for a while of real time. Code without rest is reported.
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
    let end = real.now.advanced(by: timeout)
    while quiet < Self.restfulLooks, real.now < end {
      try? await Task.sleep(for: .microseconds(200))
      if isAtRest { return }
      let now = (clock.sleeperCount, clock.nextDeadline)
      quiet = now == seen ? quiet + 1 : 0
      seen = now
      // A frame that is being painted changes no counter for a while. A busy machine may leave a
      // thread without a processor for seconds.
      if quiet == Self.restfulLooks, ProcessThreads.othersRun { quiet -= 1 }
    }
    if quiet < Self.restfulLooks {
      reportHang("the tested code has not come to rest within \(timeout): \(seen)")
    }
  }

  private var isAtRest: Bool {
    clock.sleeperCount >= streamingSleepers && !ProcessThreads.othersRun
  }
}
