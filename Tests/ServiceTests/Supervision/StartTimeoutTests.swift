import Devices
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct StartTimeoutTests {
  @Test func `more time is requested early and only up to a limit`() async {
    let clock = ManualClock()
    let told = Mutex<[(at: MonotonicInstant, text: String)]>([])
    let start = clock.now
    let extending = Task {
      await StartTimeout.extend(clock) { text in told.withLock { $0.append((clock.now, text)) } }
    }
    while start.duration(to: clock.now) < StartTimeout.limit {
      await clock.untilSleepers(1)
      clock.advance(by: StartTimeout.interval.pause)
    }
    await extending.value
    let messages = told.withLock { $0 }
    #expect(messages.first?.at == start)
    #expect(
      messages.allSatisfy { $0.text.split(separator: "\n").last == "EXTEND_TIMEOUT_USEC=60000000" })
    let gaps = zip(messages, messages.dropFirst()).map { $0.at.duration(to: $1.at) }
    #expect(gaps.allSatisfy { $0 * 3 <= .seconds(60) })
    let last = messages.last.map { start.duration(to: $0.at) } ?? .zero
    #expect(last < StartTimeout.limit && last > StartTimeout.limit - .seconds(60))
  }
}
