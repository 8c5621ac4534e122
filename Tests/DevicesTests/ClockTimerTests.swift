import Dispatch
import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(5))) struct ClockTimerTests {
  private let queue = DispatchQueue(label: "test")
  private let calls = CallCount()

  private func repetition(_ start: Int64, _ period: Int64) -> KernelTimer.Repetition {
    KernelTimer.Repetition(
      start: MonotonicInstant(nanoseconds: start), period: .nanoseconds(period))
  }

  @Test(
    arguments: [
      (100, 50, true), (100, 100, false), (140, 101, true), (180, 101, false), (180, 140, true),
      (120, 101, false), (60, 50, false), (140, 50, false),
    ] as [(Int64, Int64, Bool)])
  func `only the next repetition needs no setting`(instant: Int64, now: Int64, isNext: Bool) {
    let found = repetition(100, 40).isNext(
      MonotonicInstant(nanoseconds: instant), after: MonotonicInstant(nanoseconds: now))
    #expect(found == isNext)
  }

  @Test func `a timer of the system's clock calls at its time and goes on`() async throws {
    let clock = SystemMonotonicClock()
    let timer = clock.makeTimer(on: queue) { [calls] in calls.add() }
    let first = clock.now.advanced(by: .milliseconds(20))
    timer.set(to: first, period: .milliseconds(10))
    try await eventually { calls.count >= 3 }
    // No call is early, and several late ones count as a single one.
    #expect(clock.now >= first.advanced(by: .milliseconds(20)))
    timer.cancel()
  }

  @Test func `a timer of another clock calls when the clock gets there`() async throws {
    let clock = ManualClock()
    let timer = clock.makeTimer(on: queue) { [calls] in calls.add() }
    let deadline = clock.now.advanced(by: .seconds(2))
    timer.set(to: deadline.advanced(by: .seconds(5)), period: nil)
    timer.set(to: deadline, period: nil)
    try await eventually { clock.nextDeadline == deadline && clock.sleeperCount == 1 }
    #expect(calls.count == 0)
    clock.advance(to: deadline)
    try await eventually { calls.count == 1 }
    timer.set(to: deadline.advanced(by: .seconds(1)), period: nil)
    await clock.untilSleepers(1)
    timer.cancel()
    try await eventually { clock.sleeperCount == 0 }
    #expect(calls.count == 1)
  }

  @Test(arguments: [true, false])
  func `a timer that was canceled or released calls no more`(isCanceled: Bool) async throws {
    let clock = ManualClock()
    let deadline = clock.now.advanced(by: .seconds(1))
    do {
      let timer = clock.makeTimer(on: queue) { [calls] in calls.add() }
      timer.set(to: deadline, period: nil)
      await clock.untilSleepers(1)
      if isCanceled {
        timer.cancel()
        timer.set(to: deadline, period: nil)
      }
      withExtendedLifetime(timer) {}
    }
    try await eventually { clock.sleeperCount == 0 }
    let (other, others) = (CallCount(), DispatchQueue(label: "other"))
    let later = clock.makeTimer(on: others) { other.add() }
    later.set(to: deadline.advanced(by: .seconds(1)), period: nil)
    await clock.untilSleepers(1)
    clock.advance(to: deadline.advanced(by: .seconds(1)))
    try await eventually { other.count == 1 }
    later.cancel()
    queue.sync {}
    #expect(calls.count == 0)
  }

  @Test func `sleeps end in any order, at their times`() async {
    let clock = SystemMonotonicClock()
    await withDiscardingTaskGroup { group in
      for index in 0..<200 {
        let end = clock.now.advanced(by: .microseconds(index * 7919 % 20_000))
        group.addTask {
          do { try await clock.sleep(until: end) } catch { Issue.record(error) }
          #expect(clock.now >= end)
        }
      }
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1])
  func `a sleep until a time that has passed ends at once`(nanoseconds: Int64) async throws {
    try await SystemMonotonicClock().sleep(until: MonotonicInstant(nanoseconds: nanoseconds))
  }

  @Test func `a sleep without an end does not delay one that begins later`() async throws {
    let clock = SystemMonotonicClock()
    let end = MonotonicInstant(nanoseconds: .max)
    let sleep = Task { try await clock.sleep(until: end) }
    try await clock.sleep(for: .milliseconds(1))
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }

  @Test func `a canceled sleep ends at once`() async {
    let clock = SystemMonotonicClock()
    for round in 0..<200 {
      let sleep = Task { try await clock.sleep(for: .seconds(3600)) }
      if round.isMultiple(of: 2) { await Task.yield() }
      sleep.cancel()
      await #expect(throws: CancellationError.self) { try await sleep.value }
    }
  }
}
