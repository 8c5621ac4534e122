import ArgumentParser
import Console
import Foundation

/// `platenctl console`.
struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Give commands one after the other, at a terminal or from a program.",
    discussion: """
      At a terminal Tab completes, ? shows what can follow, the arrow keys go through what was run, \
      Ctrl-C ends a command, and Ctrl-D or "exit" the console. What interrupts or destroys asks for \
      the name of what it is done to. Nothing here starts a shell, or a program that was typed.

      With --jsonl each line is an object {"id": any, "command": ["status"], "confirm": "rig-1"} and \
      is answered by one line {"id": ..., "status": 0, "output": [...], "error": {...}}. ["exit"] \
      leaves, and so does Ctrl-D at the beginning of a line of a terminal.
      """)

  @Option(help: "The service's socket. [environment: PLATEN_SOCKET]")
  var socket: String = ConnectionOptions.defaultSocket

  @Option(
    help: ArgumentHelp(
      "After how long a time without use the console ends, for example 90s, 10min or 0 for never.",
      discussion: "10min at a terminal, also with --jsonl, and never otherwise."))
  var idleLogout: String?

  @Flag(help: "Read and write JSON, an object a line, for programs.")
  var jsonl = false

  func validate() throws {
    if let idleLogout, IdleLogout.duration(idleLogout) == nil {
      throw ValidationError(
        "--idle-logout must be a duration such as 90s, 10min or 1h, a week at most, "
          + "not \"\(idleLogout)\".")
    }
  }

  func run() async throws {
    let commands = try RigCommands(socket: socket)
    let (input, output) = (STDIN_FILENO, STDOUT_FILENO)
    let isTerminal = isatty(input) == 1
    let environment = ProcessInfo.processInfo.environment
    let kind =
      jsonl ? .none : TerminalKind.of(input: input, output: output, environment: environment)
    let modes = TerminalModes(input)
    let bytes = TerminalInput()
    let signals = ConsoleSignals(bytes) {
      modes.restore()
      _exit(129)
    }
    // A write to a terminal that takes nothing waits, and so would the ordinary end.
    let leave: @Sendable () -> Void = {
      modes.restore()
      _exit(0)
    }
    bytes.read(input)
    let reader = LineReader(
      input: bytes, kind: kind, descriptors: (input, output),
      history: CommandHistory(
        path: kind == .none ? nil : CommandHistory.path(environment: environment)),
      guide: commands.guide, characters: jsonl ? .unicode : Terminal.characters,
      endsOnControlD: jsonl && isTerminal,
      maximumBytes: jsonl ? ConsoleRequest.maximumBytes : 4096)
    let status: Int32
    if jsonl {
      status = await JSONLinesSession(
        input: bytes, reader: reader, output: output, commands: commands,
        idleLogout: idle(isTerminal), onStuck: leave
      ).run()
    } else {
      status = await ConsoleSession(
        input: bytes, reader: reader, kind: kind, output: output, complaints: STDERR_FILENO,
        characters: Terminal.characters, commands: commands, idleLogout: idle(isTerminal),
        onStuck: leave
      ).run()
    }
    withExtendedLifetime(signals) { modes.restore() }
    if status != 0 { throw ExitCode(status) }
  }

  private func idle(_ isTerminal: Bool) -> Duration? {
    let limit = idleLogout.flatMap(IdleLogout.duration) ?? (isTerminal ? .seconds(600) : .zero)
    return limit > .zero ? limit : nil
  }
}
