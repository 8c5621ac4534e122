/// Where the text of a command goes.
public protocol CommandOutput: Sendable {
  /// Whether a program reads it, so that it should be JSON whatever the command was told.
  var wantsJSON: Bool { get }

  /// The width in columns.
  var width: Int { get }

  /// The terminal, for what is drawn in place; `nil` when there is none.
  var canvas: Canvas? { get }

  /// Which characters whoever reads it knows.
  var characters: TerminalCharacters { get }

  /// Shows lines.
  func show(_ lines: [String])

  /// Waits until everything is shown that was said before; whoever says much does so now and then,
  /// so that it does not pile up before a slow terminal.
  func untilShown() async

  /// Shows what went wrong.
  ///
  /// - Parameters:
  ///   - message: one sentence or more, for people.
  ///   - code: the kind, for programs.
  func complain(_ message: String, code: String)

  /// How progress can be shown.
  var progressStyle: ProgressBar.Style { get }

  /// Whether progress is shown on a terminal: what only tells that something goes on is for people.
  var isWatched: Bool { get }

  /// Shows how far something is, in the place of what was shown of it before; `nil` ends that.
  func progress(_ text: String?)

  /// The terminal, for a command that needs it for itself; `nil` where there is none to be had.
  var terminal: (any LentTerminal)? { get }

  /// Asks a person, who answers with a line; what they had typed before is no answer.
  ///
  /// - Parameters:
  ///   - question: what stands before the answer, one line.
  ///   - limit: how long to wait.
  func ask(_ question: String, within limit: Duration) async -> CommandAnswer
}

extension CommandOutput {
  /// There is none.
  public var canvas: Canvas? { nil }

  /// A file or a program knows all.
  public var characters: TerminalCharacters { .unicode }

  /// What was said is shown already.
  public func untilShown() async {}

  /// Nobody looks.
  public var progressStyle: ProgressBar.Style { .none }

  /// Nobody looks.
  public var isWatched: Bool { false }

  /// Nobody looks.
  public func progress(_ text: String?) {}

  /// Nobody is there to be asked.
  public func ask(_ question: String, within limit: Duration) async -> CommandAnswer { .nobody }

  /// There is none.
  public var terminal: (any LentTerminal)? { nil }
}

/// An output that shows nothing, for what others must not disturb.
public struct SilentOutput: CommandOutput {
  /// It is for nobody.
  public let wantsJSON = false
  /// The width in columns.
  public let width: Int

  /// Makes an output.
  public init(width: Int = 80) { self.width = width }

  /// Shows nothing.
  public func show(_ lines: [String]) {}

  /// Shows nothing.
  public func complain(_ message: String, code: String) {}
}

/// A piece of what a command says.
enum OutputPiece: Sendable {
  case lines([String])
  case complaint(String)
  /// What is not of the command's own saying.
  case notice([String])
  case progress(String?)
  /// Everything before it was shown when the stream ends.
  case mark(AsyncStream<Void>.Continuation)
  case question(CommandQuestion)
}

/// What a command says, one piece after the other, for somebody who shows it at their own pace.
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
    if case .terminated = continuation.yield(.question(question)) { return .nobody }
    for await answer in question.answers { return answer }
    return .nobody
  }
}
