/// A program at a console: a request a line, an answer a line, nothing else.
public struct JSONLinesSession: Sendable {
  private let input: TerminalInput
  private let reader: LineReader
  private let output: Int32
  private let commands: any ConsoleCommands

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - input: where `reader` has its bytes from.
  ///   - reader: a reader of the kind ``TerminalKind/none``.
  ///   - output: the descriptor that is written.
  public init(
    input: TerminalInput, reader: LineReader, output: Int32, commands: any ConsoleCommands
  ) {
    self.input = input
    self.reader = reader
    self.output = output
    self.commands = commands
  }

  /// Answers requests until there are no more.
  ///
  /// - Returns: the exit status: 0, or 129 when the other side has gone.
  public func run() async -> Int32 {
    while true {
      switch await reader.readLine(prompt: "") {
      case .line(let line) where line.allSatisfy(\.isWhitespace): continue
      case .line(let line): write(await answer(line))
      case .refused(let reason):
        write(ConsoleAnswer(id: nil, status: 64, error: .init(code: "usage", message: reason)))
      case .interrupted, .ended(.hangUp): return 129
      case .ended(.endOfInput), .ended(.idle): return 0
      }
    }
  }

  /// Does what a line asks for.
  func answer(_ line: String) async -> ConsoleAnswer {
    let request: ConsoleRequest
    do {
      request = try ConsoleRequest.read(line)
    } catch {
      return ConsoleAnswer(
        id: error.id, status: 64, error: .init(code: "usage", message: error.message))
    }
    let collected = CollectedOutput()
    let (command, status) = commands.prepare(request.command, collected)
    guard let command else {
      return ConsoleAnswer(
        id: request.id, status: status, output: collected.output, error: collected.failure)
    }
    if let refusal = await refusal(of: command, request) {
      return ConsoleAnswer(id: request.id, status: 64, error: refusal)
    }
    let task = Task { await command.run(collected) }
    input.begin(follows: false) { task.cancel() }
    let result = await task.value
    input.finishCommand()
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
    let word: String
    switch confirmation.word {
    case .item(let name): word = name
    case .rig: word = await commands.rigName()
    }
    guard let typed = request.confirm, Confirmation.accepts(typed, word) else {
      return .init(
        code: "confirmation",
        message: "\(confirmation.deed); the key \"confirm\" must say \"\(word)\".")
    }
    return nil
  }

  private func write(_ answer: ConsoleAnswer) {
    LineReader.write(answer.line + "\n", output)
  }
}
