/// The bytes of a terminal that nobody has taken yet, and whom the next ones are for.
///
/// At the prompt all bytes wait for the line. While a command runs they wait, too, so that nothing
/// that is typed ahead is lost; only Ctrl-C is for the command, and for some `q`.
struct PendingInput {
  /// What comes next.
  enum Item: Sendable, Hashable {
    /// A byte; an end of line is always a line feed.
    case byte(UInt8)
    /// Ctrl-C came as a signal while nothing ran.
    case interrupt
    /// The terminal has another size.
    case resize
    /// Lines to be shown above the prompt.
    case notice([String])
    /// There is no more input.
    case end(InputEnd)
  }

  /// Who listens.
  enum Listener: Sendable, Hashable {
    /// The prompt.
    case prompt
    /// A command, and what ends it besides Ctrl-C.
    case command(CommandManner.Ending)
  }

  /// Ctrl-C.
  static let interruptByte: UInt8 = 0x03
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private var bytes: [UInt8] = []
  private var head = 0
  /// What was put aside, and comes before the bytes that wait.
  private var aside: [UInt8] = []
  private var marks: [Item] = []
  private var end: InputEnd?
  private var listener = Listener.prompt
  private var lastWasCarriageReturn = false

  /// How many bytes wait.
  var count: Int { bytes.count - head }

  /// Whether the input has ended, though bytes may still wait.
  var hasEnded: Bool { end != nil }

  /// Adds what has come.
  ///
  /// - Returns: whether the running command is to be ended.
  mutating func add(_ new: some Sequence<UInt8>) -> Bool {
    for byte in new {
      defer { lastWasCarriageReturn = byte == Self.carriageReturn }
      switch byte {
      case Self.lineFeed where lastWasCarriageReturn: continue
      case Self.carriageReturn: bytes.append(Self.lineFeed)
      default: bytes.append(byte)
      }
    }
    return takeInterrupt()
  }

  /// Adds something that is no byte; it comes before the bytes that wait.
  mutating func add(_ mark: Item) {
    marks.append(mark)
  }

  /// Ends the input; what waits can still be taken, unless the terminal is gone.
  mutating func finish(_ reason: InputEnd) {
    end = end ?? reason
    guard reason != .endOfInput else { return }
    end = reason
    bytes = []
    head = 0
    aside = []
  }

  /// A command begins.
  ///
  /// - Returns: whether it is to be ended at once, because Ctrl-C waits already, or the terminal or
  ///   whoever sat there has gone since it was typed.
  mutating func begin(endsOn ending: CommandManner.Ending) -> Bool {
    listener = .command(ending)
    if let end, end != .endOfInput { return true }
    return takeInterrupt()
  }

  /// The command has ended.
  mutating func finishCommand() {
    listener = .prompt
  }

  /// Takes what comes next; `nil` when nothing waits.
  mutating func take() -> Item? {
    if !marks.isEmpty { return marks.removeFirst() }
    guard head < bytes.count else { return end.map { .end($0) } }
    let byte = bytes[head]
    head += 1
    if head == bytes.count || head >= 1 << 16 {
      bytes.removeFirst(head)
      head = 0
    }
    return .byte(byte)
  }

  /// Gives back a byte that was taken last.
  mutating func putBack(_ byte: UInt8) {
    if head > 0 {
      head -= 1
      bytes[head] = byte
    } else {
      bytes.insert(byte, at: 0)
    }
  }

  /// Puts the bytes that wait aside.
  mutating func setAside() {
    aside += bytes[head...]
    bytes = []
    head = 0
  }

  /// Lets the bytes that were put aside wait again.
  mutating func bringBack() {
    bytes.insert(contentsOf: aside, at: head)
    aside = []
  }

  /// Takes what ends the running command out of the bytes that wait.
  private mutating func takeInterrupt() -> Bool {
    guard case .command(let ending) = listener else { return false }
    if let index = bytes[head...].firstIndex(of: Self.interruptByte) {
      bytes.remove(at: index)
      return true
    }
    guard ending != .nothing else { return false }
    // Empty lines say nothing: whoever presses Enter to part the output still ends it with q.
    while head < bytes.count, bytes[head] == Self.lineFeed { head += 1 }
    guard head < bytes.count, bytes[head] == UInt8(ascii: "q") else { return false }
    if ending == .line {
      guard head + 1 < bytes.count, bytes[head + 1] == Self.lineFeed else { return false }
      head += 1
    }
    head += 1
    return true
  }
}

/// Why there is no more input.
public enum InputEnd: Sendable, Hashable {
  /// Ctrl-D at an empty prompt, or the end of a file or pipe.
  case endOfInput
  /// The terminal is gone, or the program is told to end.
  case hangUp
  /// Nobody has typed for too long.
  case idle
}
