import Foundation
import Synchronization

/// The line of a terminal, or of a file, in which progress is shown.
public final class ProgressLine: Sendable {
  /// How progress can be shown there.
  public let style: ProgressBar.Style
  private let descriptor: Int32
  private let characters: TerminalCharacters
  private let shownColumns = Mutex(0)

  /// Takes a descriptor; the kind says whether one can go back in a line there.
  ///
  /// - Parameters:
  ///   - kind: what the terminal can do; a file or a pipe gets lines.
  ///   - characters: which it knows.
  public init(
    _ descriptor: Int32, kind: TerminalKind, characters: TerminalCharacters = .unicode
  ) {
    self.descriptor = descriptor
    self.characters = characters
    style =
      kind == .editing
      ? .inPlace(bitsPerSecond: TerminalModes.bitsPerSecond(descriptor)) : .lines
  }

  /// Shows how far something is; `nil` takes away what was shown.
  public func show(_ text: String?) {
    guard let text = text.map({ characters.plain(PlainText.escaping($0)) }) else { return clear() }
    guard case .inPlace = style else { return LineReader.write(text + "\n", descriptor) }
    // A line that the terminal goes on with in its next row cannot be written over.
    let limit = (TerminalKind.size(descriptor).columns ?? 80) - 1
    let bar = characters.plain(PlainText.truncating(text, to: limit))
    let columns = PlainText.columns(bar)
    shownColumns.withLock { shown in
      // What was longer before is written over; no escape sequence is needed for that.
      let rest = String(repeating: " ", count: max(0, shown - columns))
      LineReader.write("\r" + bar + rest, descriptor)
      shown = columns
    }
  }

  /// Takes away what was shown, before something else is.
  public func clear() {
    shownColumns.withLock { shown in
      guard shown > 0 else { return }
      LineReader.write("\r" + String(repeating: " ", count: shown) + "\r", descriptor)
      shown = 0
    }
  }
}
