import Console
import Foundation

/// The standard streams, written at once so that pipes see each line when it comes.
enum Terminal {
  /// The width of the terminal in columns, or 80 when there is none or it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes lines to the standard output.
  static func show(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Writes a complaint to the standard error, control characters escaped.
  static func complain(_ message: String) {
    FileHandle.standardError.write(Data("platenctl: \(PlainText.escaping(message))\n".utf8))
  }
}
