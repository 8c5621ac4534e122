public import Devices
import Synchronization

/// A person at a console: reads lines and runs them, one after the other, until they leave.
///
/// What is typed while a command runs waits. Ctrl-C ends the command, what it has said and is not
/// shown yet is dropped, and the console goes on.
public final class ConsoleSession: Sendable {
  /// What the console does by itself, besides the commands of the tree.
  public static let builtins = [
    CommandCompletion.Candidate("help", "Explain a command, or list them all."),
    CommandCompletion.Candidate("history", "List the lines that were run."),
    CommandCompletion.Candidate("exit", "Leave the console."),
  ]

  /// Who hears what the console has to say by itself.
  private enum Listener {
    /// Whoever waits for a line or a key.
    case prompt
    /// Whoever shows what a command says.
    case output(AsyncStream<OutputPiece>.Continuation)
    /// Nobody: something is drawn.
    case nobody
  }

  let input: TerminalInput
  let reader: LineReader
  let screen: ConsoleScreen
  let clock: any MonotonicClock
  private let commands: any ConsoleCommands
  private let idle: IdleWatch
  private let listener = Mutex(Listener.prompt)
  private let isAsking = Mutex(false)

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - input: where `reader` has its bytes from.
  ///   - kind: what the terminal can do.
  ///   - output: the descriptor that is written.
  ///   - complaints: the descriptor for what goes wrong when there is no terminal.
  ///   - characters: which the terminal knows.
  ///   - idleLogout: after how long a time without use the session ends; `nil` for never.
  ///   - onStuck: ends the program: called when the session cannot end then, because it writes to a
  ///     terminal that takes nothing.
  public init(
    input: TerminalInput, reader: LineReader, kind: TerminalKind, output: Int32,
    complaints: Int32, characters: TerminalCharacters = .unicode, commands: any ConsoleCommands,
    idleLogout: Duration?, clock: any MonotonicClock = SystemMonotonicClock(),
    onStuck: @escaping @Sendable () -> Void = {}
  ) {
    self.input = input
    self.reader = reader
    screen = ConsoleScreen(
      kind: kind, output: output, complaints: complaints, characters: characters)
    self.commands = commands
    self.clock = clock
    idle = IdleWatch(limit: idleLogout, input: input, clock: clock, onStuck: onStuck)
  }

  /// Runs the session to its end.
  ///
  /// - Returns: the exit status: that of the last command when no terminal is there, else 0, or 129
  ///   when the terminal has gone.
  public func run() async -> Int32 {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await self.idle.watch { self.tell("This console ends in \($0) s unless somebody types.") }
      }
      if screen.isTerminal { for line in await commands.greeting() { screen.show(line) } }
      let status = await loop()
      // Where the other side has gone nobody reads the rest.
      await reader.end(drains: status != 129)
      group.cancelAll()
      return status
    }
  }

  private func loop() async -> Int32 {
    var status: Int32 = 0
    var prompt = ""
    while true {
      // Lines that were pasted do not wait for the rig to say each time how it is.
      if screen.isTerminal, prompt.isEmpty || !input.isWaiting { prompt = await commands.prompt() }
      switch await reader.readLine(prompt: prompt) {
      case .line(let line):
        switch await take(line) {
        case .nothing: continue
        case .ran(let result): status = result
        case .left: return screen.isTerminal ? 0 : status
        }
      case .refused(let reason):
        screen.complain(reason)
        status = 64
      case .interrupted: continue
      case .ended(.endOfInput): return screen.isTerminal ? 0 : status
      case .ended(.hangUp): return 129
      case .ended(.idle):
        screen.show("")
        screen.show("Nobody has used this console; it ends.")
        return 0
      }
    }
  }

  /// What came of a line.
  private enum Turn {
    case nothing
    case ran(Int32)
    case left
  }

  /// Does what a line says.
  private func take(_ line: String) async -> Turn {
    var words: [String]
    do {
      words = try CommandWords.split(line)
    } catch {
      screen.complain(error.description)
      return .ran(64)
    }
    // What was copied from the manual begins with it.
    if words.first == "platenctl", words.count > 1 { words.removeFirst() }
    guard !words.isEmpty else { return .nothing }
    await reader.remember(line)
    switch words {
    case ["exit"]: return .left
    case ["history"]:
      let lines = await reader.rememberedLines.enumerated().map { index, line in
        let number = "\(index + 1)"
        return String(repeating: " ", count: max(0, 5 - number.count)) + "\(number)  \(line)"
      }
      return .ran(
        await run(
          PreparedCommand { output in
            output.show(lines)
            return 0
          }))
    default:
      return .ran(await run(words))
    }
  }

  private func run(_ words: [String]) async -> Int32 {
    let (stream, continuation) = AsyncStream.makeStream(
      of: OutputPiece.self, bufferingPolicy: .unbounded)
    let (command, status) = commands.prepare(
      words, StreamedOutput(width: screen.columns, continuation: continuation))
    continuation.finish()
    guard let command else {
      return await run(
        PreparedCommand { output in
          for await piece in stream {
            switch piece {
            case .lines(let lines), .notice(let lines): output.show(lines)
            case .complaint(let message): output.complain(message, code: "usage")
            case .progress, .mark: continue
            case .question(let question): question.answer(.nobody)
            }
          }
          return status
        })
    }
    if let confirmation = command.confirmation, await !confirm(confirmation) {
      screen.complain("Not confirmed; nothing was done.")
      return 64
    }
    return await run(command)
  }

  private func confirm(_ confirmation: Confirmation) async -> Bool {
    let word: String
    switch confirmation.word {
    case .item(let name): word = name
    case .rig: word = await commands.rigName()
    }
    if screen.isTerminal { screen.show(confirmation.deed + ".") }
    let prompt = "Type \(PlainText.escaping(word)) to confirm: "
    guard case .line(let typed) = await reader.readLine(prompt: prompt) else { return false }
    return Confirmation.accepts(typed, word)
  }

  private func run(_ command: PreparedCommand) async -> Int32 {
    // What may wait in it is bounded by the backlog, or by whoever waits until it is shown.
    let (stream, continuation) = AsyncStream.makeStream(
      of: OutputPiece.self, bufferingPolicy: .unbounded)
    let backlog = OutputBacklog(limit: command.manner == .follows ? OutputBacklog.limit : nil)
    var output = StreamedOutput(
      width: screen.columns, canvas: screen.canvas, continuation: continuation, backlog: backlog)
    output.characters = screen.characters
    output.progressStyle = screen.progress.style
    output.isWatched = screen.isTerminal
    output.terminal = lentTerminal(continuation)
    begin(command.manner, continuation)
    let task = Task { [output] in
      defer { continuation.finish() }
      return await command.run(output)
    }
    let interruption = Interruption()
    input.begin(endsOn: command.manner.ending) { [self] in
      // At a question all was shown that had been said: what follows is the answer to the key.
      let isAsked = isAsking.withLock { $0 }
      // Before the task is cancelled: what has drawn brings the terminal in order afterwards.
      if !isAsked, interruption.come(isBehind: screen.isBehind) { screen.dropWaiting() }
      task.cancel()
      if isAsked { input.cancelKey() }
    }
    await show(
      stream,
      of: CommandRun(
        manner: command.manner, task: task, backlog: backlog, interruption: interruption),
      on: reader)
    let status = await task.value
    input.finishCommand()
    listener.withLock { $0 = .prompt }
    idle.noteCommandEnds()
    return status
  }

  /// A command begins: one that works is use, and of one that goes on and on only the keys are.
  private func begin(
    _ manner: CommandManner, _ continuation: AsyncStream<OutputPiece>.Continuation
  ) {
    if manner.isEndless {
      idle.noteUse()
    } else {
      idle.noteCommandBegins()
    }
    listener.withLock { listener in
      switch manner {
      case .follows: listener = .output(continuation)
      case .draws: listener = .nobody
      case .works, .reports, .guides: listener = .prompt
      }
    }
  }

  /// A person is asked something while a command runs: now they are who is waited for.
  func beginAsking() {
    isAsking.withLock { $0 = true }
    idle.noteCommandEnds()
  }

  /// The command goes on.
  func endAsking() {
    isAsking.withLock { $0 = false }
    idle.noteCommandBegins()
  }

  /// What a command says begins to be written, or the terminal has taken it; of one that goes on
  /// and on that is no use either.
  func noteWriting(_ isWriting: Bool, of manner: CommandManner) {
    if !manner.isEndless { idle.noteWriting(isWriting) }
  }

  /// The terminal for a command that asks for it; it has been shown everything by then.
  private func lentTerminal(
    _ continuation: AsyncStream<OutputPiece>.Continuation
  ) -> (any LentTerminal)? {
    guard screen.isTerminal else { return nil }
    return ConsoleTerminal(output: screen.descriptor, input: input) {
      let (shown, mark) = AsyncStream.makeStream(of: Void.self)
      continuation.yield(.mark(mark))
      for await _ in shown {}
    }
  }

  private func tell(_ line: String) {
    switch listener.withLock({ $0 }) {
    case .prompt: input.notify([line])
    case .output(let continuation): continuation.yield(.notice([line]))
    case .nobody: break
    }
  }
}
