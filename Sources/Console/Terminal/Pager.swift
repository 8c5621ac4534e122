/// Tells when a screen is full.
struct Pager {
  /// What a key at `--More--` means.
  enum Answer: Sendable, Hashable {
    /// Another screenful.
    case page
    /// Another line.
    case line
    /// No more.
    case quit
    /// Everything that is left; the key belongs to the next line.
    case rest
  }

  /// What is shown when a screen is full.
  static let question = "--More--"

  private let rows: Int
  private let columns: Int
  private var used = 0
  private var isOff = false

  /// Begins with an empty screen.
  ///
  /// - Parameters:
  ///   - rows: the terminal's height, 2 or more.
  ///   - columns: its width, 1 or more.
  init(rows: Int, columns: Int) {
    self.rows = max(2, rows)
    self.columns = max(1, columns)
  }

  /// A line is about to be shown.
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

  /// A key was pressed at the question.
  ///
  /// - Parameter line: the line that is shown next, unless the answer is ``Answer/quit``.
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
