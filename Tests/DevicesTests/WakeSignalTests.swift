import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(5))) struct WakeSignalTests {
  private func clock(isSystem: Bool) -> any MonotonicClock {
    isSystem ? SystemMonotonicClock() : ManualClock()
  }

  @Test(arguments: [true, false])
  func `a signal ends a sleep, given before it or while it lasts`(isSystem: Bool) async {
    let clock = clock(isSystem: isSystem)
    let end = clock.now.advanced(by: .seconds(3600))
    let signal = WakeSignal()
    for round in 0..<200 {
      signal.reset()
      let sleep = Task { await clock.sleep(until: end, or: signal) }
      if round.isMultiple(of: 2) { await Task.yield() }
      signal.give()
      await sleep.value
      #expect(clock.now < end)
    }
  }

  @Test func `a sleep without a signal ends at its time, even in a canceled task`() async {
    let clock = ManualClock()
    let signal = WakeSignal()
    let end = clock.now.advanced(by: .seconds(1))
    let sleep = Task { await clock.sleep(until: end, or: signal) }
    await clock.untilSleepers(1)
    sleep.cancel()
    #expect(clock.sleeperCount == 1)
    clock.advance(to: end)
    await sleep.value
    #expect(!signal.isGiven)
  }

  @Test func `a sleep on the system's clock ends at its time`() async {
    let clock = SystemMonotonicClock()
    let end = clock.now.advanced(by: .milliseconds(5))
    await clock.sleep(until: end, or: WakeSignal())
    #expect(clock.now >= end)
  }
}
