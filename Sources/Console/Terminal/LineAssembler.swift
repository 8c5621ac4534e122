/// The outcome of reading a line.
package enum LineResult: Sendable, Hashable {
  /// A line without its terminator.
  case line(String)
  /// The line cannot be used; the text gives the reason in a sentence.
  case refused(String)
  /// The person pressed Ctrl-C.
  case interrupted
  /// The input has ended.
  case ended(InputEnd)
}

/// A converter of bytes to lines for pipes and dumb terminals, without escape sequences.
///
/// On a terminal the assembler echoes. Backspace, Ctrl-U, Ctrl-C and Ctrl-D have their usual
/// effects.
struct LineAssembler {
  /// The effect of a byte.
  struct Step: Sendable, Hashable {
    /// The text to write to the terminal.
    var echo = ""
    /// The outcome of the line; `nil` while it continues.
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
  ///   - echoes: whether a person types, who sees the text and can correct it.
  ///   - endsOnControlD: whether Ctrl-D at a line's beginning ends the input even without echo.
  ///   - maximumBytes: the longest line in bytes.
  init(
    echoes: Bool, endsOnControlD: Bool = false, maximumBytes: Int = LineAssembler.maximumBytes
  ) {
    self.echoes = echoes
    self.endsOnControlD = endsOnControlD
    self.maximumBytes = maximumBytes
  }

  /// Takes a byte; a line feed ends the line.
  mutating func take(_ byte: UInt8) -> Step {
    if byte == UInt8(ascii: "\n") { return Step(echo: echoes ? "\n" : "", result: finish()) }
    if byte == Self.controlD, !hasBegun, echoes || endsOnControlD {
      return Step(echo: echoes ? "\n" : "", result: .ended(.endOfInput))
    }
    if echoes {
      switch byte {
      case PendingInput.interruptByte:
        reset()
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
      // Characters that would move the cursor are not echoed; splitting the line refuses them
      // later.
      let echo = String(scalar)
      return Step(echo: echoes && PlainText.escaping(echo) == echo ? echo : "")
    }
  }

  /// Takes the end of the input; text after the last line feed is a line too.
  mutating func end(_ reason: InputEnd) -> LineResult {
    reason == .endOfInput && hasBegun && !echoes ? finish() : .ended(reason)
  }

  private mutating func finish() -> LineResult {
    defer { reset() }
    if isTooLong {
      return .refused(
        maximumBytes == Self.maximumBytes
          ? Self.tooLong : "The line is longer than \(maximumBytes) bytes; it was not run.")
    }
    // The line's end may have cut a character short.
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
    reset()
    return echo
  }

  private mutating func reset() {
    self = LineAssembler(
      echoes: echoes, endsOnControlD: endsOnControlD, maximumBytes: maximumBytes)
  }
}
