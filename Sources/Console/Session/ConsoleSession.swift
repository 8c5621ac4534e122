package import Devices
import Synchronization

/// A person's session at a console, which reads and runs lines until the person leaves.
///
/// Input typed while a command runs waits. Ctrl-C ends the command and drops its pending output,
/// and the console continues.
package final class ConsoleSession: Sendable {
  /// The console's own commands, in addition to the tree's.
  package static let builtins = [
    CommandCompletion.Candidate("help", "Explain a command, or list them all."),
    CommandCompletion.Candidate("history", "List the lines that were run."),
    CommandCompletion.Candidate("exit", "Leave the console."),
  ]

  /// The recipient of the console's own messages.
  private enum Listener {
    /// The prompt, which waits for a line or a key.
    case prompt
    /// The stream of the command's output.
    case output(AsyncStream<OutputPiece>.Continuation)
    /// No recipient, because a drawing is in progress.
    case noRecipient
  }

  let input: TerminalInput
  let reader: LineReader
  let screen: ConsoleScreen
  let clock: any MonotonicClock
  private let commands: any ConsoleCommands
  private let idle: IdleWatch
  private let listener = Mutex(Listener.prompt)
  private let isAsking = Mutex(false)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - input: the source of the bytes of `reader`.
  ///   - kind: the terminal's capabilities.
  ///   - output: the descriptor of the output.
  ///   - complaints: the descriptor of errors if there is no terminal.
  ///   - characters: the characters that the terminal knows.
  ///   - idleLogout: the time without use after which the session ends; `nil` for never.
  ///   - onStuck: a function that ends the program. The session calls the function if the idle
  ///     session cannot end because its terminal accepts no output.
  package init(
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
  /// - Returns: the exit status. Without a terminal that is the last command's, otherwise 0; after
  ///   a hang-up it is 129.
  package func run() async -> Int32 {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await self.idle.watch { self.tell("This console ends in \($0) s unless somebody types.") }
      }
      if screen.isTerminal { for line in await commands.greeting() { screen.show(line) } }
      let status = await loop()
      // After a hang-up, there is no reader for the rest.
      await reader.end(drains: status != 129)
      group.cancelAll()
      return status
    }
  }

  private func loop() async -> Int32 {
    var status: Int32 = 0
    var prompt = ""
    while true {
      // Pasted lines do not wait for the rig's state at each prompt.
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

  /// The result of a line.
  private enum Turn {
    case nothing
    case ran(Int32)
    case left
  }

  /// Carries out a line.
  private func take(_ line: String) async -> Turn {
    var words: [String]
    do {
      words = try CommandWords.split(line)
    } catch {
      screen.complain(error.description)
      return .ran(64)
    }
    // A line copied from the manual begins with the program's name.
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
            case .question(let question): question.answer(.unanswered)
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
    let word = await confirmation.wordToType { await commands.rigName() }
    if screen.isTerminal { screen.show(confirmation.deed + ".") }
    let prompt = "Type \(PlainText.escaping(word)) to confirm: "
    guard case .line(let typed) = await reader.readLine(prompt: prompt) else { return false }
    return Confirmation.accepts(typed, word)
  }

  private func run(_ command: PreparedCommand) async -> Int32 {
    // The backlog bounds this stream, or the command waits until its output is shown.
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
      // At a question, all earlier output is shown: the rest answers the key.
      let isAsked = isAsking.withLock { $0 }
      // Dropping precedes the cancellation, because a drawing then restores the terminal.
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

  /// Begins a command: a working command counts as use, but under an endless one only keys do.
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
      case .draws: listener = .noRecipient
      case .works, .reports, .guides: listener = .prompt
      }
    }
  }

  /// Notes that a question waits for a person while a command runs.
  func beginAsking() {
    isAsking.withLock { $0 = true }
    idle.noteCommandEnds()
  }

  /// Notes that the command continues.
  func endAsking() {
    isAsking.withLock { $0 = false }
    idle.noteCommandBegins()
  }

  /// Notes that writing output begins or ends; an endless command's output does not count.
  func noteWriting(_ isWriting: Bool, of manner: CommandManner) {
    if !manner.isEndless { idle.noteWriting(isWriting) }
  }

  /// Returns the terminal for exclusive use, which begins after all earlier output is shown.
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
    case .noRecipient: break
    }
  }
}
