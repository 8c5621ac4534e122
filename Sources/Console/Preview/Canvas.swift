import Foundation

/// A terminal on which a command draws, besides the lines that it shows.
public struct Canvas: Sendable {
  /// How many bytes are handed to the line at once, and how many may wait there.
  static let piece = 256

  /// Whether the terminal knows the escape sequences of a VT100.
  public let isAddressable: Bool
  private let descriptor: Int32
  private let characters: TerminalCharacters

  /// Makes a canvas of a terminal that is open.
  public init(
    _ descriptor: Int32, isAddressable: Bool, characters: TerminalCharacters = .unicode
  ) {
    self.descriptor = descriptor
    self.isAddressable = isAddressable
    self.characters = characters
  }

  /// The height and width in rows and columns; 24 and 80 for what the terminal does not say.
  public var size: (rows: Int, columns: Int) {
    let size = TerminalKind.size(descriptor)
    return (size.rows ?? 24, size.columns ?? 80)
  }

  /// The speed of the line in bits a second; `nil` for one that has none.
  public var lineSpeed: Int? { LineSpeed.of(descriptor) }

  /// Sends bytes at the pace of the line, and waits until the line has sent them all, so that no
  /// output piles up which would be shown long after its time.
  ///
  /// - Parameter end: what makes the terminal's state sound again when the drawing is broken off.
  /// - Throws: `CancellationError`.
  public func draw(_ bytes: [UInt8], orEnd end: [UInt8] = []) async throws {
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

  /// Waits until at most so many bytes wait to be sent (the ioctl `TIOCOUTQ`), and more are taken.
  private func untilWaiting(atMost limit: Int) async throws {
    while true {
      try Task.checkCancellation()
      var waiting: Int32 = 0
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let isShort = ioctl(descriptor, UInt(TIOCOUTQ), &waiting) != 0 || waiting <= limit
      if isShort, limit == 0 || poll(&event, 1, 0) > 0 { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// The escape sequences that are sent to a terminal like a VT100.
public enum VT100 {
  /// Erases the screen and goes to its upper left corner.
  static let clear = "\u{1B}[2J\u{1B}[H"
  /// Goes to the upper left corner.
  static let home = "\u{1B}[H"
  /// Erases the rest of the row.
  static let eraseRow = "\u{1B}[K"
  /// Erases what is below.
  static let eraseBelow = "\u{1B}[J"

  /// Lines in place of those that were drawn before; nothing in them controls the terminal.
  ///
  /// - Parameter isFirst: whether something else is on the screen.
  public static func screen(_ lines: [String], isFirst: Bool) -> String {
    (isFirst ? clear : home) + lines.map { PlainText.escaping($0) + eraseRow + "\n" }.joined()
      + eraseBelow
  }

  /// Goes below everything.
  public static func below(rows: Int) -> String { "\u{1B}[\(rows);1H\n" }
}
