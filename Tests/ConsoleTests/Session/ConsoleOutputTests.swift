import Devices
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Console

/// Output that a terminal shows more slowly than it comes, and users who have left.
@Suite(.timeLimit(.minutes(10))) struct ConsoleOutputTests {
  /// The terminal is not read while Ctrl-C is typed, so writers wait on a separate thread.
  @Test func `Ctrl-C drops output that is not shown yet`() async throws {
    let terminal = try PseudoTerminal(rows: 0)
    let stage = ConsoleStage(kind: .dumb, terminal: terminal)
    let (input, session) = (stage.input, stage.session)
    Thread.detachNewThread {
      terminal.read(until: "line 3\n")
      input.receive([0x03])
      terminal.read(until: "\nInterrupted.\nrig-7> ")
      input.receive(Array("echo after\nexit\n".utf8))
    }
    input.receive(Array("lines 100000\n".utf8))
    let status = await session.run()
    let text = terminal.text
    let count = text.split(separator: "\n").count { $0.hasPrefix("line ") }
    #expect(count < 50_000, "\(count) lines")
    #expect(status == 0 && text.contains("rig-7> echo after\nafter\n"))
    #expect(stage.commands.run == [["lines", "100000"], ["echo", "after"]])
  }

  @Test func `a command that follows events skips lines without room and counts them`() async throws
  {
    let terminal = try PseudoTerminal(rows: 0)
    let stage = ConsoleStage(kind: .dumb, terminal: terminal)
    let (input, commands, session) = (stage.input, stage.commands, stage.session)
    Thread.detachNewThread {
      commands.flooded.wait()
      terminal.read { text in
        let (shown, leftOut) = Self.count(text)
        return shown + leftOut == 20_000
      }
      input.receive(Array("q".utf8))
      terminal.read(until: "Interrupted.\nrig-7> ")
      input.receive(Array("exit\n".utf8))
    }
    input.receive(Array("flood 20000\n".utf8))
    let status = await session.run()
    #expect(status == 0)
    let (shown, leftOut) = Self.count(terminal.text)
    #expect(shown >= OutputBacklog.limit && leftOut > 0 && shown + leftOut == 20_000)
  }

  /// Returns the number of numbered lines in a text, and of those reported as missing.
  private static func count(_ text: String) -> (shown: Int, leftOut: Int) {
    let notice = " lines were left out, the line is too slow."
    let lines = text.split(separator: "\n")
    let missing = lines.filter { $0.hasSuffix(notice) }.compactMap {
      Int($0.dropLast(notice.count))
    }
    return (lines.count { $0.hasPrefix("line ") }, missing.reduce(0, +))
  }

  @Test func `the backlog has one gap with a number`() {
    let backlog = OutputBacklog(limit: 2)
    let taken = [1, 1, 3, 1].map { backlog.takes($0) }
    #expect(taken == [true, true, false, false])
    let behind = [backlog.noteShown(), backlog.noteShown()]
    #expect(behind == [0, 4])
    let isTaken = backlog.takes(1)
    #expect(isTaken && backlog.noteShown() == 0)
    let whole = OutputBacklog()
    let all = (0..<10_000).map { _ in whole.takes(1) }
    #expect(all.allSatisfy { $0 })
    #expect(OutputBacklog.notice(1) == "1 line was left out, the line is too slow.")
  }

  @Test func `a command with much output waits until it is shown`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: OutputPiece.self)
    let output = StreamedOutput(width: 80, continuation: continuation)
    output.show(["one"])
    async let isShown: Void = output.untilShown()
    var lines: [String] = []
    for await piece in stream {
      switch piece {
      case .lines(let said): lines += said
      case .mark(let mark):
        mark.finish()
        continuation.finish()
      default: Issue.record("nothing else was said")
      }
    }
    await isShown
    #expect(lines == ["one"])
    // No output is shown any more.
    await output.untilShown()
  }

  @Test func `an interruption counts once and tells whether a line was cut`() {
    let quiet = Interruption()
    let isDropped = [quiet.come(isBehind: false), quiet.come(isBehind: true)]
    #expect(isDropped == [false, false] && quiet.hasCome && !quiet.isCut)
    let busy = Interruption()
    busy.noteWriting(true)
    let isCut = busy.come(isBehind: false)
    let isFirst = [busy.noteDropped(), busy.noteDropped()]
    #expect(isCut && isFirst == [true, false] && busy.isCut && busy.hasDropped)
  }

  @Test func `an unanswered pager's question ends in a logout`() async throws {
    let terminal = try PseudoTerminal(rows: 24)
    let stage = ConsoleStage(kind: .dumb, idleLogout: .seconds(600), terminal: terminal)
    let (input, clock, session) = (stage.input, stage.clock, stage.session)
    async let status = session.run()
    await clock.untilSleepers(1)
    input.receive(Array("lines 50\n".utf8))
    try await eventually { terminal.text.contains(Pager.question) }
    clock.advance(by: .seconds(540))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(60))
    let result = await status
    let text = terminal.text
    #expect(result == 0)
    #expect(text.contains("\nThis console ends in 60 s unless somebody types.\n--More--"))
    #expect(text.hasSuffix("Nobody has used this console; it ends.\n"))
    #expect(!text.contains("line 30\n"))
  }

  /// Without a reader and without typing, a command's output does not keep the console open.
  @Test(arguments: ["lines 100000", "flood 100000"])
  func `a blocked terminal is logged out`(_ command: String) async throws {
    let terminal = try PseudoTerminal(rows: 0)
    let isStuck = Mutex(false)
    let hasEnded = Mutex(false)
    let stage = ConsoleStage(kind: .dumb, idleLogout: .seconds(600), terminal: terminal) {
      isStuck.withLock { $0 = true }
    }
    let (input, commands, clock, session) = (
      stage.input, stage.commands, stage.clock, stage.session
    )
    input.receive(Array("\(command)\n".utf8))
    let running = Task {
      let status = await session.run()
      hasEnded.withLock { $0 = true }
      return status
    }
    try await eventually { !commands.run.isEmpty }
    try await eventually {
      clock.advance(by: .seconds(1))
      return isStuck.withLock { $0 } || hasEnded.withLock { $0 }
    }
    // The program would be ended now; here the terminal is read at last.
    Thread.detachNewThread {
      terminal.read(until: "Nobody has used this console; it ends.\n")
    }
    let status = await running.value
    #expect(status == 0)
  }

  @Test func `a terminal of unknown height is paged if lines can be edited`() throws {
    let terminal = try PseudoTerminal(rows: 0)
    let kinds = [TerminalKind.editing, TerminalKind.dumb, TerminalKind.none]
    let isPaged = kinds.map { kind in
      ConsoleScreen(kind: kind, output: terminal.descriptor, complaints: -1).pager != nil
    }
    #expect(isPaged == [true, false, false])
    let tall = try PseudoTerminal(rows: 60)
    var pager = ConsoleScreen(kind: .dumb, output: tall.descriptor, complaints: -1).pager
    let isFull = (0..<59).map { _ in pager?.isFull(before: "line") }
    #expect(isFull == Array(repeating: false, count: 59), "one that says its height has it")
  }

  @Test(arguments: [("follow", true), ("draw", false)])
  func `a user who types nothing while a command follows events is logged out`(
    _ command: String, _ isWarned: Bool
  ) async {
    let stage = ConsoleStage(kind: .dumb, idleLogout: .seconds(600))
    let (input, commands, clock, session) = (
      stage.input, stage.commands, stage.clock, stage.session
    )
    async let status = session.run()
    await clock.untilSleepers(1)
    input.receive(Array("\(command)\n".utf8))
    for await _ in commands.entered { break }
    clock.advance(by: .seconds(500))
    // A key counts as use, even if no command takes it.
    input.receive(Array("x".utf8))
    clock.advance(by: .seconds(40))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(500))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(60))
    let result = await status
    let text = stage.output.text
    #expect(result == 0 && text.contains("Interrupted.\n"))
    // No warning is written into a drawing.
    #expect(text.contains("This console ends in 60 s unless somebody types.\n") == isWarned)
    #expect(text.hasSuffix("Nobody has used this console; it ends.\n"))
  }
}
