import Foundation

/// A terminal on which a command draws, in addition to showing lines.
package struct Canvas: Sendable {
  /// The bytes written at once, and the most bytes that may wait in the line's queue meanwhile.
  static let piece = 256

  /// Whether the terminal knows the escape sequences of a VT100.
  package let isAddressable: Bool
  private let descriptor: Int32
  private let characters: TerminalCharacters

  /// Creates a canvas on an open terminal.
  package init(
    _ descriptor: Int32, isAddressable: Bool, characters: TerminalCharacters = .unicode
  ) {
    self.descriptor = descriptor
    self.isAddressable = isAddressable
    self.characters = characters
  }

  /// The height and width in rows and columns; 24 and 80 if the terminal does not report them.
  package var size: (rows: Int, columns: Int) {
    let size = TerminalKind.size(descriptor)
    return (size.rows ?? 24, size.columns ?? 80)
  }

  /// The speed of the line in bits a second; `nil` without one.
  package var lineSpeed: Int? { LineSpeed.of(descriptor) }

  /// Sends bytes at the pace of the line and waits until all are sent.
  ///
  /// Output that piled up would be shown long after its time.
  ///
  /// - Parameter end: the bytes that restore the terminal's state if the drawing is interrupted.
  /// - Throws: `CancellationError`.
  package func draw(_ bytes: [UInt8], orEnd end: [UInt8] = []) async throws {
    var rest = characters.plain(bytes)[...]
    do {
      while !rest.isEmpty {
        try await untilWaiting(atMost: Self.piece)
        LineReader.write(rest.prefix(Self.piece), descriptor)
        rest = rest.dropFirst(Self.piece)
      }
      try await untilWaiting(atMost: 0)
    } catch {
      LineReader.write(end[...], descriptor)
      throw error
    }
  }

  /// Waits until few enough bytes wait to be sent (the ioctl `TIOCOUTQ`) and more are accepted.
  private func untilWaiting(atMost limit: Int) async throws {
    while true {
      try Task.checkCancellation()
      var waiting: Int32 = 0
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let isShort = ioctl(descriptor, UInt(TIOCOUTQ), &waiting) != 0 || waiting <= limit
      if isShort, limit == 0 || poll(&event, 1, 0) > 0 { return }
      // The kernel tells of room for bytes, but not of the bytes that it has still to send.
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// The escape sequences for a terminal like a VT100.
package enum VT100 {
  /// The sequence that erases the screen and moves to its upper left corner.
  static let clear = "\u{1B}[2J\u{1B}[H"
  /// The sequence that moves to the upper left corner.
  static let home = "\u{1B}[H"
  /// The sequence that erases the rest of the row.
  static let eraseRow = "\u{1B}[K"
  /// The sequence that erases everything below.
  static let eraseBelow = "\u{1B}[J"

  /// Returns a screen of lines that replaces the earlier one; control characters are escaped.
  ///
  /// - Parameter isFirst: whether the screen still shows something else.
  package static func screen(_ lines: [String], isFirst: Bool) -> String {
    (isFirst ? clear : home) + lines.map { PlainText.escaping($0) + eraseRow + "\n" }.joined()
      + eraseBelow
  }

  /// Returns the sequence that moves below everything.
  package static func below(rows: Int) -> String { "\u{1B}[\(rows);1H\n" }
}
