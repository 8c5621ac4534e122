import Devices
import Logging
import TestSupport
import Testing

@testable import Service

@Suite struct LogRepetitionTests {
  private let clock = ManualClock()
  private let log = RecordedLog()

  private func makeLogger() -> Logger {
    let handler = log.logger.handler
    let memory = RepetitionHandler.Memory(clock: clock)
    return Logger(label: "test") { RepetitionHandler(handler, label: $0, memory: memory) }
  }

  /// A day without a camera is a few dozen lines, the newest of them of the last hour.
  @Test func `a line repeated for a day leaves room for its cause`() async {
    let logger = makeLogger()
    logger.notice("the cause")
    let lines = 24 * 3600 / 2
    for attempt in 0..<lines {
      logger.error(
        "camera lost, trying again",
        metadata: ["error": "it is absent", "recovery.failures": "\(attempt)"])
      clock.advance(by: .seconds(2))
    }
    let logged = log.count("camera lost")
    #expect((24...60).contains(logged), "\(logged) of \(lines)")
    #expect(log.count("the cause") == 1)
    #expect(log.lines.count { $0.metadata["log.repeated"] == "4" } == 1)
  }

  @Test func `a line without a count of attempts is always logged`() {
    let logger = makeLogger()
    for _ in 0..<100 { logger.critical("stable storage failed", metadata: ["error": "the same"]) }
    #expect(log.count("stable storage failed") == 100)
  }

  @Test func `another cause is another line`() {
    let logger = makeLogger()
    for attempt in 0..<20 {
      logger.error(
        "lost", metadata: ["error": "\(attempt % 2)", "recovery.failures": "\(attempt)"])
    }
    // The first four, and the eighth, of each.
    #expect(log.count("lost") == 2 * (LogRepetition.unabridged + 1))
  }

  @Test func `a fault that comes back is logged again`() {
    let logger = makeLogger()
    for _ in 0..<7 { logger.error("lost", metadata: ["next.attempt.in": "2 s"]) }
    #expect(log.count("lost") == LogRepetition.unabridged)
    clock.advance(by: LogRepetition.memory)
    logger.error("lost", metadata: ["next.attempt.in": "4 s"])
    #expect(log.count("lost") == LogRepetition.unabridged + 1)
  }

  @Test func `more rows than the memory holds are all logged`() {
    let logger = makeLogger()
    for attempt in 0..<3 {
      for number in 0...LogRepetition.limit {
        logger.error("fault \(number) of many", metadata: ["recovery.failures": "\(attempt)"])
      }
    }
    #expect(log.count("of many") == 3 * (LogRepetition.limit + 1))
  }
}
