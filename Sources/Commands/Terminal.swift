import API
import Console
import Foundation

/// The standard streams, or in the console its screen or its answer to a program.
///
/// The streams are written at once, so that pipes see each line when it comes.
enum Terminal {
  /// The output of the running task.
  @TaskLocal static var output: any CommandOutput = StandardOutput()

  /// The width of the terminal in columns; 80 without a terminal or when the width is unknown.
  static var width: Int { output.width }

  /// The terminal for drawing in place; `nil` when there is none.
  static var canvas: Canvas? { output.canvas }

  /// The characters that our own terminal knows, if there is one.
  static let characters = TerminalCharacters.of(
    environment: ProcessInfo.processInfo.environment)

  /// Writes lines to the standard output.
  static func show(_ lines: [String]) { output.show(lines) }

  /// Writes an answer to the standard output, laid out for the terminal.
  static func show(_ answer: some Presentable) { show(answer.rendered(width: width)) }

  /// Writes values as JSON to the standard output, a line each.
  static func show(json values: [some Encodable]) throws {
    output.show(
      try values.map { value in
        output.characters.json(String(decoding: try APICoding.encode(value), as: UTF8.self))
      })
  }

  /// Writes a question for a person to the standard error, which must be a terminal.
  static func write(question: String) {
    FileHandle.standardError.write(Data(characters.plain(question).utf8))
  }

  /// Writes a complaint to the standard error, control characters escaped.
  ///
  /// - Parameter code: the kind of failure, for a program at the console.
  static func complain(_ message: String, code: String = "failed") {
    output.complain(PlainText.escaping(message), code: code)
  }
}

/// The standard streams.
private struct StandardOutput: CommandOutput {
  var wantsJSON: Bool { false }

  /// The progress on the standard error; output that goes to a file stays free of progress.
  private static let progressLine = ProgressLine(
    STDERR_FILENO,
    kind: isatty(STDERR_FILENO) == 1
      ? TerminalKind.of(
        input: STDERR_FILENO, output: STDERR_FILENO,
        environment: ProcessInfo.processInfo.environment) : .none,
    characters: StandardOutput.known(on: STDERR_FILENO))

  /// Returns the characters of our terminal; a file or a pipe gets all characters.
  private static func known(on descriptor: Int32) -> TerminalCharacters {
    isatty(descriptor) == 1 ? Terminal.characters : .unicode
  }

  var characters: TerminalCharacters { Self.known(on: STDOUT_FILENO) }

  var progressStyle: ProgressBar.Style { Self.progressLine.style }

  var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  var terminal: (any LentTerminal)? { OwnTerminal(input: STDIN_FILENO, output: STDOUT_FILENO) }

  func progress(_ text: String?) { Self.progressLine.show(text) }

  var width: Int { TerminalKind.size(STDOUT_FILENO).columns ?? 80 }

  var canvas: Canvas? {
    let kind = TerminalKind.of(
      input: STDOUT_FILENO, output: STDOUT_FILENO,
      environment: ProcessInfo.processInfo.environment)
    return kind == .none
      ? nil
      : Canvas(STDOUT_FILENO, isAddressable: kind == .editing, characters: characters)
  }

  func show(_ lines: [String]) {
    // A file gets the text unchanged; a terminal must not be controlled by the text.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    Self.progressLine.clear()
    let (known, columns) = (self.characters, self.width)
    let shown = isTerminal ? lines.flatMap { known.lines($0, columns: columns) } : lines
    let text = shown.map { $0 + "\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return .unanswered }
    let line = TerminalLine(STDIN_FILENO)
    line.dropTyped()
    Terminal.write(question: PlainText.escaping(question) + " ")
    let answer = await line.read(within: limit)
    if case .line = answer {} else { FileHandle.standardError.write(Data("\n".utf8)) }
    return answer
  }

  func complain(_ message: String, code: String) {
    Self.progressLine.clear()
    let text = Self.known(on: STDERR_FILENO).plain(PlainText.escaping(message))
    FileHandle.standardError.write(Data("platenctl: \(text)\n".utf8))
  }
}
