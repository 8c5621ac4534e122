import Devices
import Testing

@Suite struct MonotonicInstantTests {
  @Test func `instants and durations add up`() {
    let instant = MonotonicInstant(nanoseconds: 5)
    #expect(instant.advanced(by: .nanoseconds(-7)).nanoseconds == -2)
    #expect(instant.duration(to: MonotonicInstant(nanoseconds: 12)) == .nanoseconds(7))
    #expect(Duration.milliseconds(-1500).inMilliseconds == -1500)
    #expect(Duration.seconds(2).wholeNanoseconds == 2_000_000_000)
  }

  @Test(arguments: [(0, 10), (1, 10), (9, 10), (10, 20)] as [(Int64, Int64)])
  func `the next multiple of a period lies after the instant`(instant: Int64, next: Int64) {
    #expect(MonotonicInstant(nanoseconds: instant).next(.nanoseconds(10)).nanoseconds == next)
  }

  @Test func `system clock runs forward and waits`() async throws {
    let clock = SystemMonotonicClock()
    let start = clock.now
    try await clock.sleep(for: .milliseconds(5))
    #expect(start.duration(to: clock.now) >= .milliseconds(5))
    try await clock.sleep(until: start)
  }

  @Test func `an actor runs on its queue`() async {
    actor Device {
      let executor = DispatchQueueExecutor(label: "test")
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
      func isOnQueue() -> Bool {
        executor.checkIsolated()
        return true
      }
    }
    #expect(await Device().isOnQueue())
  }
}

@Suite struct IndicatorPatternTests {
  @Test func `a pattern without steps is off`() {
    #expect(IndicatorPattern(steps: []) == .off)
  }

  @Test func `flashes end with a pause`() {
    let pattern = IndicatorPattern.flashes(3)
    #expect(pattern.steps.filter { $0.level == 1 }.count == 3)
    #expect((pattern.steps.last?.duration ?? .zero) > .seconds(1))
    #expect(IndicatorPattern.flashes(0).steps.count == 2)
  }
}
