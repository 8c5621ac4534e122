import Devices
import Logging
import SimulatedDevices
import TestSupport
import Testing

@testable import Platen

@Suite struct LogRepetitionTests {
  private let clock = ManualClock()
  private let log = RecordedLog()

  private func makeLogger() -> Logger {
    let handler = log.logger.handler
    let memory = RepetitionHandler.Memory(clock: clock)
    return Logger(label: "test") { RepetitionHandler(handler, label: $0, memory: memory) }
  }

  /// A day without a camera is a few dozen lines, the newest of them of the last hour.
  @Test func whatRepeatsForADayLeavesRoomForItsCause() async {
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

  @Test func linesOfDifferentThingsAreAllLogged() {
    let logger = makeLogger()
    for press in 0..<100 {
      logger.warning("a press was refused", metadata: ["press.number": "\(press)"])
      logger.notice("the same notice")
    }
    #expect(log.count("a press was refused") == 100)
    #expect(log.count("the same notice") == 100)
  }

  @Test func whatComesBackIsLoggedAnew() {
    let logger = makeLogger()
    for _ in 0..<7 { logger.error("the light cannot be set") }
    #expect(log.count("the light") == LogRepetition.unabridged)
    clock.advance(by: LogRepetition.memory)
    logger.error("the light cannot be set")
    #expect(log.count("the light") == LogRepetition.unabridged + 1)
  }

  @Test func moreRowsThanAreRememberedLoseNothingButTheirNumber() {
    let logger = makeLogger()
    for _ in 0..<3 {
      for number in 0...LogRepetition.limit { logger.error("fault \(number) of many") }
    }
    #expect(log.count("of many") == 3 * (LogRepetition.limit + 1))
  }
}
