import Devices
import Synchronization
import TestSupport
import Testing

@testable import Console

@Suite struct ConsoleSessionTests {
  private typealias Stage = ConsoleStage

  /// Runs a session on text that has come as a whole.
  private func run(_ text: String, kind: TerminalKind = .none) async -> (Stage, Int32) {
    let stage = Stage(kind: kind)
    stage.input.receive(Array(text.utf8))
    stage.input.finish(.endOfInput)
    let status = await stage.session.run()
    return (stage, status)
  }

  @Test func `lines run in order and the last one sets the status`() async {
    let (stage, status) = await run("echo one\n\necho 'two three'\nfail\nnothing\nfail")
    #expect(status == 1)
    #expect(stage.commands.run == [["echo", "one"], ["echo", "two three"], ["fail"], ["fail"]])
    #expect(stage.output.text == "one\ntwo three\n")
    #expect(
      stage.complaints.text == "It failed.\nThere is no \"nothing\".\nIt failed.\n")
  }

  @Test func `an exit skips all later lines`() async {
    let (stage, status) = await run("fail\nexit\necho one\n")
    #expect(status == 1 && stage.commands.run == [["fail"]])
  }

  @Test func `the program's name may stand before a command`() async {
    let (stage, _) = await run("platenctl echo one\n")
    #expect(stage.commands.run == [["echo", "one"]])
  }

  @Test func `lines that cannot be split are explained and not run`() async {
    let (stage, status) = await run("echo 'a\necho \u{1B}[2J\n")
    #expect(status == 64 && stage.commands.run.isEmpty)
    #expect(stage.complaints.text.contains("has no end"))
    #expect(stage.complaints.text.contains("\\u{1B}"))
    #expect(!stage.complaints.text.unicodeScalars.contains("\u{1B}"))
  }

  @Test(
    arguments: [
      ("delete 7\n7\n", true), ("delete 7\n 7 \n", true), ("delete 7\n8\n", false),
      ("delete 7\n\n", false), ("delete 7\n", false), ("stop\nrig-7\n", true),
      ("stop\nyes\n", false), ("stop\nRIG-7\n", false), ("delete ''\n\n", false),
    ] as [(String, Bool)], [TerminalKind.none, .dumb])
  func `a destructive command is confirmed by name`(_ line: (String, Bool), kind: TerminalKind)
    async
  {
    let (stage, _) = await run(line.0, kind: kind)
    #expect(stage.commands.run.isEmpty == !line.1)
    let said = stage.output.text + stage.complaints.text
    #expect(said.contains("Not confirmed; nothing was done.") == !line.1)
  }

  @Test func `a pipe gets only the output of commands`() async {
    let (stage, _) = await run("echo one\nhistory\n")
    #expect(stage.output.text == "one\n    1  echo one\n    2  history\n")
    let (terminal, status) = await run("echo one\n", kind: .dumb)
    #expect(terminal.output.text == "hello\nrig-7> echo one\none\nrig-7> ")
    #expect(status == 0)
  }

  @Test func `a hundred kibibytes at once run line by line`() async {
    let lines = (0..<1000).map { "echo \($0) " + String(repeating: "x", count: 100) }
    let text = lines.joined(separator: "\n") + "\n"
    #expect(text.utf8.count > 100 * 1024)
    for kind in [TerminalKind.none, .dumb] {
      let (stage, _) = await run(text, kind: kind)
      #expect(stage.commands.run.map { $0[1] } == (0..<1000).map { "\($0)" })
    }
  }

  @Test func `a line that is too long is refused and the next one is run`() async {
    let (stage, _) = await run("echo " + String(repeating: "x", count: 5000) + "\necho two\n")
    #expect(stage.commands.run == [["echo", "two"]])
    #expect(stage.complaints.text == LineAssembler.tooLong + "\n")
  }

  @Test(arguments: ["wait\u{3}", "follow\u{3}", "followq"])
  func `a key ends the command and not the console`(_ keys: String) async {
    let stage = Stage(kind: .dumb)
    let command = keys.dropLast()
    let (input, commands, session) = (stage.input, stage.commands, stage.session)
    async let status = session.run()
    input.receive(Array((command + "\n").utf8))
    for await _ in commands.entered { break }
    // Input typed ahead waits for the command's end.
    input.receive(Array("\(keys.suffix(1))echo after\nexit\n".utf8))
    let result = await status
    #expect(result == 0)
    #expect(stage.commands.run == [[String(command)], ["echo", "after"]])
    #expect(stage.output.text.contains("Interrupted.\n"))
  }

  @Test func `a command's question is answered by input typed after it`() async throws {
    let stage = Stage(kind: .dumb)
    let (input, session) = (stage.input, stage.session)
    async let status = session.run()
    // Input typed before the question is a line of its own afterwards.
    input.receive(Array("ask\necho early\n".utf8))
    try await eventually { stage.output.text.contains("red? ") }
    input.receive(Array("very red\nexit\n".utf8))
    let result = await status
    #expect(stage.output.text.contains("Is it\\u{1B}red? very red\nanswer very red\n"))
    #expect(result == 0 && stage.commands.run == [["ask"], ["echo", "early"]])
    let (pipe, _) = await run("ask\necho after\n")
    #expect(pipe.output.text == "nobody\nafter\n", "on a pipe nobody is asked")
  }

  @Test func `an unanswered question ends`() async throws {
    let stage = Stage(kind: .dumb)
    let (input, clock, session) = (stage.input, stage.clock, stage.session)
    async let status = session.run()
    input.receive(Array("ask\n".utf8))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(15))
    try await eventually { stage.output.text.contains("late\n") }
    input.receive(Array("echo after\nexit\n".utf8))
    let result = await status
    #expect(result == 0 && stage.commands.run == [["ask"], ["echo", "after"]])
  }

  @Test func `Ctrl-C ends a question and its command`() async throws {
    let stage = Stage(kind: .dumb)
    let (input, clock, session) = (stage.input, stage.clock, stage.session)
    async let status = session.run()
    input.receive(Array("ask\n".utf8))
    await clock.untilSleepers(1)
    input.receive([0x03])
    try await eventually { stage.output.text.contains("nobody\n") }
    input.receive(Array("echo after\nexit\n".utf8))
    let result = await status
    #expect(result == 0 && stage.commands.run == [["ask"], ["echo", "after"]])
  }

  @Test func `a hang-up ends the command and the console`() async {
    let stage = Stage(kind: .dumb)
    let (input, commands, session) = (stage.input, stage.commands, stage.session)
    async let status = session.run()
    input.receive(Array("wait\n".utf8))
    for await _ in commands.entered { break }
    input.receive(Array("echo never\n".utf8))
    input.finish(.hangUp)
    let result = await status
    #expect(result == 129 && stage.commands.run == [["wait"]])
  }

  @Test func `an idle user is warned and logged out`() async {
    let stage = Stage(kind: .dumb, idleLogout: .seconds(600))
    let (clock, session) = (stage.clock, stage.session)
    async let status = session.run()
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(540))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(60))
    let result = await status
    #expect(result == 0)
    #expect(
      stage.output.text.contains("\nThis console ends in 60 s unless somebody types.\nrig-7> "))
    #expect(stage.output.text.hasSuffix("Nobody has used this console; it ends.\n"))
  }

  @Test func `a running command keeps the console open`() async {
    let stage = Stage(kind: .dumb, idleLogout: .seconds(600))
    let (input, commands, clock, session) = (
      stage.input, stage.commands, stage.clock, stage.session
    )
    async let status = session.run()
    await clock.untilSleepers(1)
    input.receive(Array("wait\n".utf8))
    for await _ in commands.entered { break }
    for _ in 0..<5 {
      clock.advance(by: .seconds(600))
      await clock.untilSleepers(1)
    }
    input.receive([0x03])
    input.receive(Array("exit\n".utf8))
    let result = await status
    #expect(result == 0 && !stage.output.text.contains("Nobody has used"))
  }

  @Test func `a line that is too long for the terminal is folded between words`() async {
    let words = Array(repeating: "word", count: 40).joined(separator: " ")
    let (stage, _) = await run("echo '  \(words)'\nexit\n", kind: .dumb)
    let lines = stage.output.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 && $0.hasPrefix("  word") })
    let (piped, _) = await run("echo '  \(words)'\n")
    #expect(piped.output.text == "  \(words)\n", "a program gets each line as it is")
  }

  @Test func `no output of a command controls the terminal`() async {
    let (stage, _) = await run("echo \u{202E}\u{2066}\u{FEFF}x\nzz\u{202E}\n", kind: .dumb)
    #expect(stage.output.text.contains("\\u{202E}\\u{2066}\\u{FEFF}x\n"))
    let text = stage.output.text.replacing("\n", with: "").replacing("\r", with: "")
    #expect(PlainText.escaping(text) == text)
  }
}
