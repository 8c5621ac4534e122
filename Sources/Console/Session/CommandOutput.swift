/// A destination for a command's text.
package protocol CommandOutput: Sendable {
  /// Whether a program reads the output, which must then be JSON regardless of the options.
  var wantsJSON: Bool { get }

  /// The width in columns.
  var width: Int { get }

  /// The terminal for drawing in place; `nil` without one.
  var canvas: Canvas? { get }

  /// The characters that the reader's terminal knows.
  var characters: TerminalCharacters { get }

  /// Shows lines.
  func show(_ lines: [String])

  /// Waits until all earlier output is shown.
  ///
  /// A command with much output calls this function regularly, so that no output piles up before a
  /// slow terminal.
  func untilShown() async

  /// Shows an error.
  ///
  /// - Parameters:
  ///   - message: one or more sentences for people.
  ///   - code: the kind of error, for programs.
  func complain(_ message: String, code: String)

  /// The form of progress displays.
  var progressStyle: ProgressBar.Style { get }

  /// Whether a person watches progress on a terminal; signs of activity are for people only.
  var isWatched: Bool { get }

  /// Shows progress in place of the previous display; `nil` ends the display.
  func progress(_ text: String?)

  /// The terminal for exclusive use by a command; `nil` without one.
  var terminal: (any LentTerminal)? { get }

  /// Asks a person for a line; text typed before the question does not count.
  ///
  /// - Parameters:
  ///   - question: the text before the answer, one line.
  ///   - limit: the time to wait.
  func ask(_ question: String, within limit: Duration) async -> CommandAnswer
}

extension CommandOutput {
  /// The default: no canvas.
  package var canvas: Canvas? { nil }

  /// The default: all characters, for a file or a program.
  package var characters: TerminalCharacters { .unicode }

  /// Returns immediately, because the default shows output at once.
  package func untilShown() async {}

  /// The default: no progress displays.
  package var progressStyle: ProgressBar.Style { .none }

  /// The default: no person watches.
  package var isWatched: Bool { false }

  /// Does nothing, because no person watches by default.
  package func progress(_ text: String?) {}

  /// Returns `unanswered`, because no person is present by default.
  package func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
    .unanswered
  }

  /// The default: no terminal.
  package var terminal: (any LentTerminal)? { nil }
}

/// An output that shows nothing, for tasks whose text must not disturb.
package struct SilentOutput: CommandOutput {
  /// Whether the output must be JSON: never, because there is no reader.
  package let wantsJSON = false
  /// The width in columns.
  package let width: Int

  package init(width: Int = 80) { self.width = width }

  /// Ignores lines.
  package func show(_ lines: [String]) {}

  /// Ignores an error.
  package func complain(_ message: String, code: String) {}
}

/// A piece of a command's output.
enum OutputPiece: Sendable {
  case lines([String])
  case complaint(String)
  /// The lines that do not come from the command.
  case notice([String])
  case progress(String?)
  /// A mark whose stream ends when everything before the mark is shown.
  case mark(AsyncStream<Void>.Continuation)
  case question(CommandQuestion)
}

/// An output that streams a command's pieces to a consumer with its own pace.
struct StreamedOutput: CommandOutput {
  let width: Int
  var canvas: Canvas?
  let continuation: AsyncStream<OutputPiece>.Continuation
  var backlog = OutputBacklog()
  var characters = TerminalCharacters.unicode
  var progressStyle = ProgressBar.Style.none
  var isWatched = false
  var terminal: (any LentTerminal)?
  var wantsJSON: Bool { false }

  func show(_ lines: [String]) {
    if backlog.takes(lines.count) { continuation.yield(.lines(lines)) }
  }

  func untilShown() async {
    let (shown, mark) = AsyncStream.makeStream(of: Void.self)
    if case .terminated = continuation.yield(.mark(mark)) { return }
    for await _ in shown {}
  }

  func complain(_ message: String, code: String) { continuation.yield(.complaint(message)) }

  func progress(_ text: String?) { continuation.yield(.progress(text)) }

  func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
    let question = CommandQuestion(question, limit: limit)
    if case .terminated = continuation.yield(.question(question)) { return .unanswered }
    for await answer in question.answers { return answer }
    return .unanswered
  }
}
