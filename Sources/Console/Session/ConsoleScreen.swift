import Foundation

/// What a console writes; nothing in it can control a terminal but ends of lines.
struct ConsoleScreen: Sendable {
  /// The height of a terminal that does not say it, as behind a serial line: that of a VT100.
  static let usualRows = 24

  /// The descriptor that is written.
  let descriptor: Int32
  private let complaints: Int32
  private let canEdit: Bool
  /// Whether it is a terminal.
  let isTerminal: Bool
  /// The terminal, for what is drawn in place.
  let canvas: Canvas?
  /// Where progress is shown.
  let progress: ProgressLine
  /// Which characters it knows.
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

  /// The width in columns, 80 when the terminal does not say.
  var columns: Int { TerminalKind.size(descriptor).columns ?? 80 }

  /// A pager for the terminal; `nil` for one that is only shown and does not say its height.
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

  /// A line as a terminal has room for it: in several where it is too long, each with its indent.
  func folded(_ line: String) -> [String] {
    let line = characters.plain(PlainText.escaping(line))
    return isTerminal ? PlainText.folding(line, to: columns) : [line]
  }

  /// Whether the terminal has more to send still than a picture ever leaves it.
  var isBehind: Bool {
    var waiting: Int32 = 0
    return isTerminal && ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0
      && waiting > Canvas.piece
  }

  /// Drops what the terminal has to send still (`tcflush(3)`); who waits to write goes on.
  func dropWaiting() {
    if isTerminal { _ = tcflush(descriptor, TCOFLUSH) }
  }

  /// Begins a line, wherever the last one was cut.
  func endLine() {
    progress.clear()
    if isTerminal { LineReader.write("\n", descriptor) }
  }

  /// Asks in the last row.
  func ask(_ question: String) {
    LineReader.write(question, descriptor)
  }

  /// Takes the question away again, without an escape sequence.
  func clear(_ question: String) {
    LineReader.write("\r" + String(repeating: " ", count: question.count) + "\r", descriptor)
  }
}
