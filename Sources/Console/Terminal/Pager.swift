/// A counter that tells when a screen is full.
struct Pager {
  /// The meaning of a key at `--More--`.
  enum Answer: Sendable, Hashable {
    /// The person wants another screenful.
    case page
    /// The person wants another line.
    case line
    /// The person wants no more.
    case quit
    /// The person wants the whole rest; the key belongs to the next line.
    case rest
  }

  /// The question at a full screen.
  static let question = "--More--"

  private let rows: Int
  private let columns: Int
  private var used = 0
  private var isOff = false

  /// Begins with an empty screen.
  ///
  /// - Parameters:
  ///   - rows: the terminal's height, 2 or more.
  ///   - columns: the terminal's width, 1 or more.
  init(rows: Int, columns: Int) {
    self.rows = max(2, rows)
    self.columns = max(1, columns)
  }

  /// Notes a line that is about to be shown.
  ///
  /// - Returns: whether to ask first.
  mutating func isFull(before line: String) -> Bool {
    guard !isOff else { return false }
    // The last row is for the question.
    guard used > 0, used + rows(line) > rows - 1 else {
      used += rows(line)
      return false
    }
    return true
  }

  /// Notes a key pressed at the question.
  ///
  /// - Parameter line: the next line to show, unless the answer is ``Answer/quit``.
  mutating func answer(_ key: UInt8?, before line: String) -> Answer {
    switch key {
    case UInt8(ascii: " "):
      used = rows(line)
      return .page
    case UInt8(ascii: "\n"):
      used = rows - 2 + rows(line)
      return .line
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), PendingInput.interruptByte, nil:
      return .quit
    default:
      isOff = true
      return .rest
    }
  }

  private func rows(_ line: String) -> Int {
    max(1, (PlainText.columns(line) + columns - 1) / columns)
  }
}
