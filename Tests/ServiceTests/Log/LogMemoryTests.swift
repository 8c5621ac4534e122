import API
import Devices
import Logging
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct LogMemoryTests {
  private let clock = ManualClock()
  private let memory: LogMemory

  init() {
    memory = LogMemory(clock: clock, wallNanoseconds: { 1_795_219_200_250_000_000 })
  }

  private var all: LogFilter { LogFilter(limit: LogFilter.maximumLimit) }

  private func logger(_ label: String = "platend", _ level: Logger.Level = .trace) -> Logger {
    var logger = Logger(label: label) { memory.handler(label: $0) }
    logger.logLevel = level
    return logger
  }

  @Test func `a line is kept as it was logged`() async throws {
    var logger = logger()
    logger[metadataKey: "rig.id"] = "rig-7"
    logger[metadataKey: "camera.id"] = "old"
    logger.warning(
      "camera stalled", metadata: ["camera.id": "cam0", "sizes": .array(["1", "2"])])
    let entries = await memory.entries(all)
    #expect(
      entries == [
        LogEntry(
          id: 1, time: "2026-11-21T00:00:00.250Z", timeNanoseconds: clock.now.nanoseconds,
          level: "warning", label: "platend", message: "camera stalled",
          metadata: ["rig.id": "rig-7", "camera.id": "cam0", "sizes": "[\"1\", \"2\"]"])
      ])
  }

  @Test func `a line below the logger's level is not kept`() async {
    logger("platend", .notice).info("nothing")
    let entries = await memory.entries(all)
    #expect(entries.isEmpty)
  }

  @Test func `a filter returns the newest matching lines`() async {
    for number in 1...9 {
      let logger = logger(number % 2 == 0 ? "even" : "odd")
      logger.log(level: number % 3 == 0 ? .error : .info, "line \(number)")
    }
    var filter = LogFilter(limit: 2)
    let newest = await memory.entries(filter).map(\.id)
    #expect(newest == [9, 8])
    filter.label = "odd"
    filter.limit = 100
    let odd = await memory.entries(filter).map(\.id)
    #expect(odd == [9, 7, 5, 3, 1])
    filter.level = .warning
    let errors = await memory.entries(filter).map(\.id)
    #expect(errors == [9, 3])
    filter.after = 3
    let later = await memory.entries(filter).map(\.id)
    #expect(later == [9])
  }

  @Test func `the number of lines is limited`() async {
    let logger = logger()
    for number in 1...5000 { logger.info("line \(number)") }
    let entries = await memory.entries(all)
    #expect(entries.map(\.id) == Array((UInt64(3001)...5000).reversed()))
    #expect(entries.first?.message == "line 5000")
  }

  @Test func `the bytes of the lines are limited`() async {
    let logger = logger()
    let long = String(repeating: "ü", count: 100_000)
    for number in 1...2000 { logger.info("\(number) \(long)", metadata: ["a": "\(long)"]) }
    let entries = await memory.entries(all)
    let bytes = entries.reduce(0) { sum, entry in
      sum + entry.message.utf8.count + entry.metadata.values.reduce(0) { $0 + $1.utf8.count }
    }
    #expect(bytes <= LogFilter.maximumBytes && bytes > LogFilter.maximumBytes / 2)
    #expect(entries.first?.message.hasPrefix("2000 ") == true)
    #expect(entries.allSatisfy { $0.message.count <= 2048 && $0.metadata["a"]?.count == 1024 })
  }

  @Test func `a follower gets the kept lines and the new ones`() async {
    let logger = logger()
    logger.info("before")
    let lines = await memory.follow()
    logger.info("after")
    var iterator = lines.makeAsyncIterator()
    let messages = [await iterator.next()?.message, await iterator.next()?.message]
    #expect(messages == ["before", "after"])
  }

  /// Many loggers write at once; the numbers have no gap and reach a follower in their order.
  @Test func `lines of many writers are in order`() async {
    let lines = await memory.follow()
    await withTaskGroup(of: Void.self) { tasks in
      for writer in 0..<8 {
        let logger = logger("writer-\(writer)")
        tasks.addTask { for number in 0..<100 { logger.info("\(number)") } }
      }
    }
    var numbers: [UInt64] = []
    for await line in lines {
      numbers.append(line.id)
      if numbers.count == 800 { break }
    }
    #expect(numbers == Array(1...800))
  }
}
