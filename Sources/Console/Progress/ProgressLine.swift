import Foundation
import Synchronization

/// A line of a terminal or a file that shows progress.
package final class ProgressLine: Sendable {
  /// The form of the display.
  package let style: ProgressBar.Style
  private let descriptor: Int32
  private let characters: TerminalCharacters
  private let shownColumns = Mutex(0)

  /// Takes a descriptor and derives the form of the display from the terminal's kind.
  ///
  /// - Parameters:
  ///   - kind: the terminal's capabilities; a file or a pipe gets separate lines.
  ///   - characters: the characters that the terminal knows.
  package init(
    _ descriptor: Int32, kind: TerminalKind, characters: TerminalCharacters = .unicode
  ) {
    self.descriptor = descriptor
    self.characters = characters
    style =
      kind == .editing
      ? .inPlace(bitsPerSecond: TerminalModes.bitsPerSecond(descriptor)) : .lines
  }

  /// Shows progress; `nil` removes the display.
  package func show(_ text: String?) {
    guard let text = text.map({ characters.plain(PlainText.escaping($0)) }) else { return clear() }
    guard case .inPlace = style else { return LineReader.write(text + "\n", descriptor) }
    // A line that wraps to the next row cannot be overwritten.
    let limit = (TerminalKind.size(descriptor).columns ?? 80) - 1
    let bar = characters.plain(PlainText.truncating(text, to: limit))
    let columns = PlainText.columns(bar)
    shownColumns.withLock { shown in
      // Spaces overwrite the rest of a longer earlier text, without an escape sequence.
      let rest = String(repeating: " ", count: max(0, shown - columns))
      LineReader.write("\r" + bar + rest, descriptor)
      shown = columns
    }
  }

  /// Removes the display before other output.
  package func clear() {
    shownColumns.withLock { shown in
      guard shown > 0 else { return }
      LineReader.write("\r" + String(repeating: " ", count: shown) + "\r", descriptor)
      shown = 0
    }
  }
}
