/// The unread bytes of a terminal, with the current listener.
///
/// At the prompt all bytes wait for the line. While a command runs, bytes wait too, so that no text
/// typed ahead is lost. Only Ctrl-C, and for some commands `q`, is for the command.
struct PendingInput {
  /// The next item of the input.
  enum Item: Sendable, Hashable {
    /// A byte; a line's end is always a line feed.
    case byte(UInt8)
    /// Ctrl-C arrived as a signal while no command ran.
    case interrupt
    /// The terminal has a new size.
    case resize
    /// The lines to show above the prompt.
    case notice([String])
    /// The input has ended.
    case end(InputEnd)
  }

  /// The listener of the input.
  enum Listener: Sendable, Hashable {
    /// The prompt.
    case prompt
    /// A command, with the input that ends it besides Ctrl-C.
    case command(CommandManner.Ending)
  }

  /// The byte of Ctrl-C.
  static let interruptByte: UInt8 = 0x03
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private var bytes: [UInt8] = []
  private var head = 0
  /// The set-aside bytes, which precede the waiting ones.
  private var aside: [UInt8] = []
  private var marks: [Item] = []
  private var end: InputEnd?
  private var listener = Listener.prompt
  private var lastWasCarriageReturn = false

  /// The number of waiting bytes.
  var count: Int { bytes.count - head }

  /// Whether the input has ended, though bytes may still wait.
  var hasEnded: Bool { end != nil }

  /// Adds new bytes.
  ///
  /// - Returns: whether to end the running command.
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

  /// Adds an item other than a byte, before the waiting bytes.
  mutating func add(_ mark: Item) {
    marks.append(mark)
  }

  /// Ends the input; waiting bytes remain readable, except after a hang-up or an idle end.
  mutating func finish(_ reason: InputEnd) {
    end = end ?? reason
    guard reason != .endOfInput else { return }
    end = reason
    bytes = []
    head = 0
    aside = []
  }

  /// Notes the start of a command.
  ///
  /// - Returns: whether to end the command at once, because Ctrl-C already waits, or because of a
  ///   hang-up or an idle end.
  mutating func begin(endsOn ending: CommandManner.Ending) -> Bool {
    listener = .command(ending)
    if let end, end != .endOfInput { return true }
    return takeInterrupt()
  }

  /// Notes the end of the command.
  mutating func finishCommand() {
    listener = .prompt
  }

  /// Takes the next item; `nil` if none waits.
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

  /// Puts back the last byte taken.
  mutating func putBack(_ byte: UInt8) {
    if head > 0 {
      head -= 1
      bytes[head] = byte
    } else {
      bytes.insert(byte, at: 0)
    }
  }

  /// Sets the waiting bytes aside.
  mutating func setAside() {
    aside += bytes[head...]
    bytes = []
    head = 0
  }

  /// Puts the set-aside bytes back before the waiting ones.
  mutating func bringBack() {
    bytes.insert(contentsOf: aside, at: head)
    aside = []
  }

  /// Takes the input that ends the running command out of the waiting bytes.
  private mutating func takeInterrupt() -> Bool {
    guard case .command(let ending) = listener else { return false }
    if let index = bytes[head...].firstIndex(of: Self.interruptByte) {
      bytes.remove(at: index)
      return true
    }
    guard ending != .nothing else { return false }
    // Empty lines mean nothing: `q` still ends a command after Enter was pressed to space its
    // output.
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

/// The reason why the input has ended.
package enum InputEnd: Sendable, Hashable {
  /// Ctrl-D at an empty prompt, or the end of a file or pipe.
  case endOfInput
  /// The terminal has gone, or the program was told to end.
  case hangUp
  /// The console was unused for too long.
  case idle
}
