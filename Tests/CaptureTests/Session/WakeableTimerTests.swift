import Devices
import TestSupport
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(5))) struct WakeableTimerTests {
  private let clock = ManualClock()
  private let timer: WakeableTimer

  init() { timer = WakeableTimer(clock: clock) }

  private func sleeping(for duration: Duration?) -> Task<Void, Never> {
    let deadline = duration.map { clock.now.advanced(by: $0) }
    return Task { [timer] in await timer.sleep(until: deadline) }
  }

  @Test func `a sleep lasts until its deadline`() async {
    let deadline = clock.now.advanced(by: .seconds(2))
    let sleep = sleeping(for: .seconds(2))
    await clock.untilSleepers(1)
    #expect(clock.nextDeadline == deadline)
    clock.advance(to: deadline)
    await sleep.value
  }

  @Test(arguments: [nil, .seconds(86_400)] as [Duration?])
  func `a long sleep is cut short`(_ duration: Duration?) async {
    let sleep = sleeping(for: duration)
    await clock.untilSleepers(1)
    #expect(clock.nextDeadline == clock.now.advanced(by: WakeableTimer.longestSleep))
    clock.advance(by: WakeableTimer.longestSleep)
    await sleep.value
  }

  @Test func `a wake-up ends all sleeps`() async {
    let sleeps = [sleeping(for: nil), sleeping(for: .seconds(1)), sleeping(for: .seconds(5))]
    await clock.untilSleepers(3)
    timer.wake()
    for sleep in sleeps { await sleep.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `an earlier deadline ends only later sleeps`() async {
    let (early, late) = (sleeping(for: .seconds(1)), sleeping(for: .seconds(10)))
    await clock.untilSleepers(2)
    timer.wake(before: nil)
    timer.wake(before: clock.now.advanced(by: .seconds(10)))
    #expect(clock.sleeperCount == 2)
    timer.wake(before: clock.now.advanced(by: .seconds(5)))
    await late.value
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    await early.value
  }

  @Test func `a cancellation ends a sleep`() async {
    let sleep = sleeping(for: nil)
    await clock.untilSleepers(1)
    sleep.cancel()
    await sleep.value
    let canceled = Task { [timer] in
      withUnsafeCurrentTask { $0?.cancel() }
      await timer.sleep(until: nil)
    }
    await canceled.value
  }

  /// The clock stands still: a lost wake-up would leave a waiter asleep for good.
  @Test func `no wake-up is lost`() async {
    let counter = Counter(timer: timer)
    await withDiscardingTaskGroup { group in
      for goal in 1...200 {
        group.addTask { await counter.wait(for: goal) }
        group.addTask { await counter.count() }
      }
    }
    #expect(await counter.value == 200)
  }
}

/// An actor whose tasks wait for a number.
private actor Counter {
  private(set) var value = 0
  private let timer: WakeableTimer

  init(timer: WakeableTimer) { self.timer = timer }

  func count() {
    value += 1
    timer.wake()
  }

  func wait(for goal: Int) async {
    while value < goal { await timer.sleep(until: nil) }
  }
}
