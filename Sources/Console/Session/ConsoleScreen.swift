import Foundation

/// A screen for a console's output; only line ends in its text can control the terminal.
struct ConsoleScreen: Sendable {
  /// The height of a VT100, assumed for a terminal of unknown height, as on a serial line.
  static let usualRows = 24

  /// The descriptor of the output.
  let descriptor: Int32
  private let complaints: Int32
  private let canEdit: Bool
  /// Whether the output is a terminal.
  let isTerminal: Bool
  /// The terminal for drawing in place.
  let canvas: Canvas?
  /// The line that shows progress.
  let progress: ProgressLine
  /// The characters that the terminal knows.
  let characters: TerminalCharacters

  init(
    kind: TerminalKind, output: Int32, complaints: Int32,
    characters: TerminalCharacters = .unicode
  ) {
    isTerminal = kind != .none
    canEdit = kind == .editing
    self.characters = isTerminal ? characters : .unicode
    canvas =
      isTerminal
      ? Canvas(output, isAddressable: kind == .editing, characters: characters) : nil
    descriptor = output
    self.complaints = isTerminal ? output : complaints
    progress = ProgressLine(
      isTerminal ? output : complaints, kind: kind, characters: self.characters)
  }

  /// The width in columns; 80 if unknown.
  var columns: Int { TerminalKind.size(descriptor).columns ?? 80 }

  /// A pager for the terminal; `nil` for a dumb terminal of unknown height.
  var pager: Pager? {
    let rows = TerminalKind.size(descriptor).rows ?? (canEdit ? Self.usualRows : nil)
    guard isTerminal, let rows, rows > 2 else { return nil }
    return Pager(rows: rows, columns: columns)
  }

  func show(_ line: String) {
    progress.clear()
    for part in folded(line) { LineReader.write(part + "\n", descriptor) }
  }

  func complain(_ message: String) {
    progress.clear()
    // The explanation of a wrong command has several lines.
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      for part in folded(String(line)) { LineReader.write(part + "\n", complaints) }
    }
  }

  /// Folds a long line to the terminal's width, and keeps its indentation.
  func folded(_ line: String) -> [String] {
    let line = characters.plain(PlainText.escaping(line))
    return isTerminal ? PlainText.folding(line, to: columns) : [line]
  }

  /// Whether the terminal's queue holds more bytes than a drawing ever leaves there.
  var isBehind: Bool {
    var waiting: Int32 = 0
    return isTerminal && ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0
      && waiting > Canvas.piece
  }

  /// Drops the terminal's queued output (`tcflush(3)`), so that blocked writers continue.
  func dropWaiting() {
    if isTerminal { _ = tcflush(descriptor, TCOFLUSH) }
  }

  /// Starts a new line after interrupted output.
  func endLine() {
    progress.clear()
    if isTerminal { LineReader.write("\n", descriptor) }
  }

  /// Shows a question in the last row.
  func ask(_ question: String) {
    LineReader.write(question, descriptor)
  }

  /// Removes the question without an escape sequence.
  func clear(_ question: String) {
    LineReader.write("\r" + String(repeating: " ", count: question.count) + "\r", descriptor)
  }
}
