/// What came of reading a line.
public enum LineResult: Sendable, Hashable {
  /// A line, without its end.
  case line(String)
  /// A line that cannot be used, and why, in a sentence.
  case refused(String)
  /// Ctrl-C.
  case interrupted
  /// There is no more input.
  case ended(InputEnd)
}

/// Makes lines of bytes for pipes and dumb terminals, without any escape sequence.
///
/// On a terminal it echoes, and Backspace, Ctrl-U, Ctrl-C and Ctrl-D do what they do everywhere.
struct LineAssembler {
  /// What to do after a byte.
  struct Step: Sendable, Hashable {
    /// What to write to the terminal.
    var echo = ""
    /// What came of the line; `nil` while it goes on.
    var result: LineResult?
  }

  /// The longest line, in bytes.
  static let maximumBytes = 4096
  private static let controlD: UInt8 = 0x04
  static let tooLong = "The line is longer than \(maximumBytes) bytes; it was not run."
  static let notUTF8 = "The line is not UTF-8; it was not run."

  private let echoes: Bool
  private let endsOnControlD: Bool
  private let maximumBytes: Int
  private var text = String.UnicodeScalarView()
  private var count = 0
  private var assembler = UTF8Assembler()
  private var isTooLong = false
  private var isInvalid = false
  private var hasBegun = false

  /// Begins a line.
  ///
  /// - Parameters:
  ///   - echoes: whether a person types, who sees what they type and has keys to mend it.
  ///   - endsOnControlD: whether Ctrl-D at a line's beginning is the end, as it is for a person.
  ///   - maximumBytes: the longest line.
  init(
    echoes: Bool, endsOnControlD: Bool = false, maximumBytes: Int = LineAssembler.maximumBytes
  ) {
    self.echoes = echoes
    self.endsOnControlD = endsOnControlD
    self.maximumBytes = maximumBytes
  }

  /// Takes a byte; an end of line is a line feed.
  mutating func take(_ byte: UInt8) -> Step {
    if byte == UInt8(ascii: "\n") { return Step(echo: echoes ? "\n" : "", result: finish()) }
    if byte == Self.controlD, !hasBegun, echoes || endsOnControlD {
      return Step(echo: echoes ? "\n" : "", result: .ended(.endOfInput))
    }
    if echoes {
      switch byte {
      case PendingInput.interruptByte:
        beginAnew()
        return Step(echo: "^C\n", result: .interrupted)
      case Self.controlD: return Step()
      case 0x08, 0x7F: return Step(echo: removeLast())
      case 0x15: return Step(echo: removeAll())
      default: break
      }
    }
    hasBegun = true
    guard !isTooLong else { return Step() }
    count += 1
    guard count <= maximumBytes else {
      isTooLong = true
      text = String.UnicodeScalarView()
      return Step()
    }
    switch assembler.take(byte) {
    case .partial: return Step()
    case .invalid:
      isInvalid = true
      return Step()
    case .scalar(let scalar):
      text.append(scalar)
      // What would move the cursor is not echoed; the line is refused by whoever splits it.
      let echo = String(scalar)
      return Step(echo: echoes && PlainText.escaping(echo) == echo ? echo : "")
    }
  }

  /// Takes the end of the input: what came after the last line's end is a line, too.
  mutating func end(_ reason: InputEnd) -> LineResult {
    reason == .endOfInput && hasBegun && !echoes ? finish() : .ended(reason)
  }

  private mutating func finish() -> LineResult {
    defer { beginAnew() }
    if isTooLong {
      return .refused(
        maximumBytes == Self.maximumBytes
          ? Self.tooLong : "The line is longer than \(maximumBytes) bytes; it was not run.")
    }
    // A character that the line's end has cut short.
    if isInvalid || assembler.isPartial { return .refused(Self.notUTF8) }
    return .line(String(text))
  }

  private mutating func removeLast() -> String {
    guard let last = text.popLast() else { return "" }
    count -= String(last).utf8.count
    hasBegun = !text.isEmpty || isTooLong || isInvalid
    let echo = String(last)
    guard PlainText.escaping(echo) == echo else { return "" }
    return String(repeating: "\u{8} \u{8}", count: PlainText.columns(echo))
  }

  private mutating func removeAll() -> String {
    var echo = ""
    while !text.isEmpty { echo += removeLast() }
    beginAnew()
    return echo
  }

  private mutating func beginAnew() {
    self = LineAssembler(
      echoes: echoes, endsOnControlD: endsOnControlD, maximumBytes: maximumBytes)
  }
}
