import API
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Console

@Suite struct JSONLinesSessionTests {
  private func run(
    _ lines: [String], endsOnControlD: Bool = false
  ) async throws -> (FakeCommands, [ConsoleAnswer]) {
    let (input, commands, output) = (TerminalInput(), FakeCommands(), Recording())
    let reader = LineReader(
      input: input, kind: .none, descriptors: (-1, -1), history: CommandHistory(path: nil),
      guide: NoHelp(), endsOnControlD: endsOnControlD,
      maximumBytes: ConsoleRequest.maximumBytes)
    input.receive(Array(lines.map { $0 + "\n" }.joined().utf8))
    input.finish(.endOfInput)
    let session = JSONLinesSession(
      input: input, reader: reader, output: output.descriptor, commands: commands)
    let status = await session.run()
    #expect(status == 0)
    let answers = try output.text.split(separator: "\n").map {
      try APICoding.decode(ConsoleAnswer.self, from: $0.utf8)
    }
    return (commands, answers)
  }

  @Test func `every request has one answer in its place`() async throws {
    let (_, answers) = try await run([
      #"{"id":1,"command":["echo","{\"a\":1}"]}"#, #"{"id":2,"command":["echo","text"]}"#, "",
      #"{"id":3,"command":["fail"]}"#, "nonsense", #"{"id":4,"command":["none"]}"#,
      #"{"id":5,"command":["help","echo"]}"#, #"{"id":6,"command":["follow"]}"#,
      #"{"id":7,"command":["report"]}"#,
    ])
    #expect(
      answers == [
        ConsoleAnswer(id: .integer(1), status: 0, output: [.object(["a": .integer(1)])]),
        ConsoleAnswer(id: .integer(2), status: 0, output: [.object(["text": .string("text")])]),
        ConsoleAnswer(
          id: .integer(3), status: 1, error: .init(code: "failed", message: "It failed.")),
        ConsoleAnswer(
          id: nil, status: 64, error: .init(code: "usage", message: "The line is not JSON.")),
        ConsoleAnswer(
          id: .integer(4), status: 64,
          error: .init(code: "usage", message: "There is no \"none\".")),
        ConsoleAnswer(
          id: .integer(5), status: 0, output: [.object(["text": .string("help for echo")])]),
        ConsoleAnswer(
          id: .integer(6), status: 64,
          error: .init(
            code: "usage",
            message: "The command follows events and has no end; run it by itself.")),
        ConsoleAnswer(
          id: .integer(7), status: 0, output: [.object(["text": .string("reported")])]),
      ])
  }

  @Test(
    arguments: [
      (#"["delete","7"]"#, #","confirm":"7""#, true), (#"["delete","7"]"#, "", false),
      (#"["delete","7"]"#, #","confirm":"8""#, false), (#"["stop"]"#, #","confirm":"rig-7""#, true),
      (#"["stop"]"#, #","confirm":"yes""#, false), (#"["delete",""]"#, #","confirm":"""#, false),
    ] as [(String, String, Bool)])
  func `a destructive command is confirmed by a key`(
    _ command: String, _ confirm: String, _ isRun: Bool
  ) async throws {
    let (commands, answers) = try await run(["{\"command\":\(command)\(confirm)}"])
    #expect(commands.run.isEmpty == !isRun)
    #expect(answers.map(\.error?.code) == [isRun ? nil : "confirmation"])
  }

  @Test func `a program can leave`() async throws {
    let (commands, answers) = try await run([
      #"{"id":1,"command":["exit","now"]}"#, #"{"id":2,"command":["exit"]}"#,
      #"{"id":3,"command":["echo"]}"#,
    ])
    #expect(answers.map(\.status) == [64, 0] && commands.run.isEmpty)
    #expect(answers.last == ConsoleAnswer(id: .integer(2), status: 0))
  }

  /// Ctrl-D counts only on a terminal, and only at the beginning of a line.
  @Test(arguments: [true, false]) func `Ctrl-D leaves a terminal`(_ isTerminal: Bool)
    async throws
  {
    let lines = ["{\u{4}}", "\u{4}", #"{"id":1,"command":["echo"]}"#]
    let (_, answers) = try await run(lines, endsOnControlD: isTerminal)
    #expect(answers.map(\.status) == (isTerminal ? [64] : [64, 64, 0]))
  }

  @Test func `a silent program is logged out without a message`() async throws {
    let (clock, output, commands) = (ManualClock(), Recording(), FakeCommands())
    let input = TerminalInput(clock: clock)
    let reader = LineReader(
      input: input, kind: .none, descriptors: (-1, -1), history: CommandHistory(path: nil),
      guide: NoHelp())
    let session = JSONLinesSession(
      input: input, reader: reader, output: output.descriptor, commands: commands,
      idleLogout: .seconds(600), clock: clock)
    async let status = session.run()
    await clock.untilSleepers(1)
    input.receive(Array(#"{"command":["wait"]}"#.utf8) + Array("\n".utf8))
    for await _ in commands.entered { break }
    // A running command counts as use.
    clock.advance(by: .seconds(900))
    await clock.untilSleepers(1)
    input.receive([0x03])
    try await eventually { !output.text.isEmpty }
    clock.advance(by: .seconds(540))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(60))
    let result = await status
    #expect(result == 0 && output.text.split(separator: "\n").count == 1)
  }

  /// A slow line that takes an answer piece by piece counts as use.
  @Test func `an answer that is being read counts as use`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { for end in [reading, writing] { close(end) } }
    let clock = ManualClock()
    let stuck = Mutex(false)
    let input = TerminalInput(clock: clock)
    let reader = LineReader(
      input: input, kind: .none, descriptors: (-1, -1), history: CommandHistory(path: nil),
      guide: NoHelp())
    let session = JSONLinesSession(
      input: input, reader: reader, output: writing, commands: FakeCommands(),
      idleLogout: .seconds(600), clock: clock, onStuck: { stuck.withLock { $0 = true } })
    async let status = session.run()
    await clock.untilSleepers(1)
    // The answer is longer than the pipe and the read part of it.
    input.receive(Array(#"{"command":["lines","20000"]}"#.utf8) + Array("\n".utf8))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 1...2 {
      // The pieces before the last are noted when the pipe is full.
      try await eventually { !isReady(writing, POLLOUT) }
      clock.advance(by: .seconds(500))
      await clock.untilSleepers(1)
      let count = read(reading, &buffer, buffer.count)
      answer += buffer.prefix(max(0, count))
    }
    try await eventually {
      if isReady(reading, POLLIN) {
        let count = read(reading, &buffer, buffer.count)
        answer += buffer.prefix(max(0, count))
      }
      return answer.last == UInt8(ascii: "\n")
    }
    input.finish(.endOfInput)
    let result = await status
    #expect(result == 0 && !stuck.withLock { $0 })
    let decoded = try APICoding.decode(ConsoleAnswer.self, from: answer)
    #expect(decoded.output.count == 20_000)
  }

  private func isReady(_ descriptor: Int32, _ event: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&wanted, 1, 0) == 1
  }

  @Test func `a line that is too long has an answer too`() async throws {
    let long = "{\"command\":[\"\(String(repeating: "x", count: 70_000))\"]}"
    let (_, answers) = try await run([long, #"{"id":1,"command":["echo"]}"#])
    #expect(answers.map(\.status) == [64, 0])
  }
}
