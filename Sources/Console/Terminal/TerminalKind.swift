import Foundation

/// What a terminal can do.
public enum TerminalKind: Sendable, Hashable {
  /// No terminal: a pipe or a file. Nothing is echoed, and there is no prompt.
  case none
  /// A terminal that is only written to from left to right: no escape sequence is sent to it.
  case dumb
  /// A terminal on which a line can be edited.
  case editing

  /// The kind of what a program reads from and writes to.
  ///
  /// - Parameters:
  ///   - input: the descriptor that is read.
  ///   - output: the descriptor that is written.
  ///   - environment: where `TERM`, `TERMINFO` and `HOME` stand.
  public static func of(
    input: Int32, output: Int32, environment: [String: String]
  ) -> TerminalKind {
    guard isatty(input) == 1 else { return .none }
    guard isatty(output) == 1, isKnown(environment["TERM"] ?? "", environment) else { return .dumb }
    return .editing
  }

  /// Whether terminfo(5) knows a terminal by that name, and it is no dumb one.
  static func isKnown(_ name: String, _ environment: [String: String]) -> Bool {
    guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix("."),
      !["dumb", "unknown", "unset"].contains(name)
    else { return false }
    let letters = [String(UnicodeScalar(first)), String(first, radix: 16)]
    var directories = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    if let home = environment["HOME"] { directories.insert(home + "/.terminfo", at: 0) }
    if let own = environment["TERMINFO"] { directories.insert(own, at: 0) }
    return directories.contains { directory in
      letters.contains { FileManager.default.fileExists(atPath: "\(directory)/\($0)/\(name)") }
    }
  }

  /// The height and width of a terminal in rows and columns; `nil` for what it does not say.
  ///
  /// The ioctl `TIOCGWINSZ`; a serial line has a size only when somebody has set it.
  public static func size(_ descriptor: Int32) -> (rows: Int?, columns: Int?) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (nil, nil) }
    return (
      size.ws_row > 0 ? Int(size.ws_row) : nil, size.ws_col > 0 ? Int(size.ws_col) : nil
    )
  }
}
