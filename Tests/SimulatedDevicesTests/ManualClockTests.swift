import Devices
import Synchronization
import TestSupport
import Testing

/// A record of the events in concurrent tasks, in order.
private final class Record<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var elements: [Element] { list.withLock { $0 } }

  func append(_ element: Element) { list.withLock { $0.append(element) } }
}

@Suite struct ManualClockTests {
  @Test func `a manual clock stands still until it is moved`() {
    let clock = ManualClock(now: MonotonicInstant(nanoseconds: 5))
    #expect(clock.now.nanoseconds == 5)
    clock.advance(by: .nanoseconds(7))
    #expect(clock.now.nanoseconds == 12)
    clock.advance(to: MonotonicInstant(nanoseconds: 3))
    #expect(clock.now.nanoseconds == 12)
  }

  @Test func `a move wakes only the sleepers whose time has come`() async throws {
    let clock = ManualClock()
    let woken = Record<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for milliseconds in [30, 10, 20] {
        group.addTask {
          try await clock.sleep(for: .milliseconds(milliseconds))
          woken.append(milliseconds)
        }
      }
      await clock.untilSleepers(3)
      #expect(clock.nextDeadline == clock.now.advanced(by: .milliseconds(10)))
      clock.advance(by: .milliseconds(9))
      #expect(clock.sleeperCount == 3)
      clock.advance(by: .milliseconds(1))
      #expect(clock.sleeperCount == 2)
      try await group.next()
      #expect(woken.elements == [10])
      clock.advance(by: .seconds(1))
      try await group.waitForAll()
      #expect(woken.elements.sorted() == [10, 20, 30])
    }
  }

  @Test func `the next deadline is waited for, whatever makes it the next`() async {
    let clock = ManualClock()
    let start = clock.now
    let tasks = [10, 30, 20].map { milliseconds in
      Task { try await clock.sleep(for: .milliseconds(milliseconds)) }
    }
    await clock.untilSleepers(3)
    await clock.untilNextDeadline(is: start.advanced(by: .milliseconds(10)))
    async let afterMove: Void = clock.untilNextDeadline(is: start.advanced(by: .milliseconds(20)))
    clock.advance(by: .milliseconds(10))
    await afterMove
    async let afterCancel: Void = clock.untilNextDeadline(
      is: start.advanced(by: .milliseconds(30)))
    tasks[2].cancel()
    await afterCancel
    async let afterSleep: Void = clock.untilNextDeadline(is: start.advanced(by: .milliseconds(15)))
    let late = Task { try await clock.sleep(until: start.advanced(by: .milliseconds(15))) }
    await afterSleep
    clock.advance(by: .seconds(1))
    for task in tasks + [late] { _ = await task.result }
  }

  @Test func `a sleep until a past time returns at once`() async throws {
    let clock = ManualClock()
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a canceled sleep ends`() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.untilSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a cancellation ends a wait for sleepers`() async {
    let clock = ManualClock()
    let waits = [
      Task { await clock.untilSleepers(1) },
      Task { await clock.untilNextDeadline(is: clock.now) },
    ]
    for wait in waits { wait.cancel() }
    for wait in waits { await wait.value }
    // A wait that was still known would end a second time here, and trap.
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.untilSleepers(1)
    sleep.cancel()
    _ = await sleep.result
  }

  @Test func `a run goes from deadline to deadline`() async {
    let clock = ManualClock()
    let start = clock.now
    let seen = Record<Duration>()
    let loop = Task {
      for step in 1...100 {
        try await clock.sleep(until: start.advanced(by: .milliseconds(10 * step)))
        seen.append(start.duration(to: clock.now))
      }
    }
    await clock.run(for: .milliseconds(55))
    #expect(clock.now == start.advanced(by: .milliseconds(55)))
    #expect(seen.elements == (1...5).map { .milliseconds(10 * $0) })
    loop.cancel()
    _ = await loop.result
  }
}
