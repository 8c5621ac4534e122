package import Devices

/// A program's session at a console: a line for each request and each answer, nothing else.
package struct JSONLinesSession: Sendable {
  /// The bytes of an answer written at once; a slow line takes about a second for them.
  static let piece = 1024

  private let input: TerminalInput
  private let reader: LineReader
  private let output: Int32
  private let commands: any ConsoleCommands
  private let idle: IdleWatch

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - input: the source of the bytes of `reader`.
  ///   - reader: a reader of the kind ``TerminalKind/none``.
  ///   - output: the descriptor of the output.
  ///   - idleLogout: the time without a request after which the session ends; `nil` for never.
  ///   - onStuck: a function that ends the program. The session calls the function if the idle
  ///     session cannot end because its terminal accepts no output.
  package init(
    input: TerminalInput, reader: LineReader, output: Int32, commands: any ConsoleCommands,
    idleLogout: Duration? = nil, clock: any MonotonicClock = SystemMonotonicClock(),
    onStuck: @escaping @Sendable () -> Void = {}
  ) {
    self.input = input
    self.reader = reader
    self.output = output
    self.commands = commands
    idle = IdleWatch(limit: idleLogout, input: input, clock: clock, onStuck: onStuck)
  }

  /// Answers requests until the input ends, the program leaves or the idle limit is reached.
  ///
  /// - Returns: the exit status: 0, or 129 after a hang-up.
  package func run() async -> Int32 {
    await withTaskGroup(of: Void.self) { group in
      // A warning would be a line that is not an answer.
      group.addTask { await idle.watch { _ in } }
      let status = await loop()
      // After a hang-up, there is no reader for the rest.
      await reader.end(drains: status != 129)
      group.cancelAll()
      return status
    }
  }

  private func loop() async -> Int32 {
    while true {
      switch await reader.readLine(prompt: "") {
      case .line(let line) where line.allSatisfy(\.isWhitespace): continue
      case .line(let line):
        let (answer, isLast) = await answer(line)
        await write(answer)
        if isLast { return 0 }
      case .refused(let reason):
        let failure = ConsoleAnswer.Failure(code: "usage", message: reason)
        await write(ConsoleAnswer(id: nil, status: 64, error: failure))
      case .interrupted, .ended(.hangUp): return 129
      case .ended(.endOfInput), .ended(.idle): return 0
      }
    }
  }

  /// Carries out a request line.
  ///
  /// - Returns: the answer, and whether the program leaves.
  private func answer(_ line: String) async -> (ConsoleAnswer, isLast: Bool) {
    do {
      let request = try ConsoleRequest.read(line)
      if request.command == ["exit"] { return (ConsoleAnswer(id: request.id, status: 0), true) }
      return (await answer(request), false)
    } catch {
      let failure = ConsoleAnswer.Failure(code: "usage", message: error.message)
      return (ConsoleAnswer(id: error.id, status: 64, error: failure), false)
    }
  }

  private func answer(_ request: ConsoleRequest) async -> ConsoleAnswer {
    let collected = CollectedOutput()
    let (command, status) = commands.prepare(request.command, collected)
    guard let command else {
      return ConsoleAnswer(
        id: request.id, status: status, output: collected.output, error: collected.failure)
    }
    if let refusal = await refusal(of: command, request) {
      return ConsoleAnswer(id: request.id, status: 64, error: refusal)
    }
    idle.noteCommandBegins()
    let task = Task { await command.run(collected) }
    input.begin(endsOn: .nothing) { task.cancel() }
    let result = await task.value
    input.finishCommand()
    idle.noteCommandEnds()
    let failure =
      result == 0 ? nil : collected.failure ?? .init(code: "failed", message: "The command failed.")
    return ConsoleAnswer(
      id: request.id, status: result, output: collected.output, error: failure)
  }

  private func refusal(
    of command: PreparedCommand, _ request: ConsoleRequest
  ) async -> ConsoleAnswer.Failure? {
    if command.manner.isEndless {
      return .init(
        code: "usage", message: "The command follows events and has no end; run it by itself.")
    }
    guard let confirmation = command.confirmation else { return nil }
    let word = await confirmation.wordToType { await commands.rigName() }
    guard let typed = request.confirm, Confirmation.accepts(typed, word) else {
      return .init(
        code: "confirmation",
        message: "\(confirmation.deed); the key \"confirm\" must say \"\(word)\".")
    }
    return nil
  }

  /// Writes an answer; every accepted piece counts as use.
  private func write(_ answer: ConsoleAnswer) async {
    var rest = Array((answer.line + "\n").utf8)[...]
    while !rest.isEmpty {
      // Use is noted before each piece, because it proves that the previous piece was accepted.
      idle.noteUse()
      await reader.write(rest.prefix(Self.piece), to: output)
      rest = rest.dropFirst(Self.piece)
    }
  }
}
