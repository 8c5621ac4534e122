import Foundation

/// The capabilities of a terminal.
package enum TerminalKind: Sendable, Hashable {
  /// The descriptor is a pipe or a file: there is no echo and no prompt.
  case none
  /// The terminal only writes from left to right and receives no escape sequences.
  case dumb
  /// The terminal supports the editing of a line.
  case editing

  /// Returns the kind for a program's input and output.
  ///
  /// - Parameters:
  ///   - input: the descriptor of the input.
  ///   - output: the descriptor of the output.
  ///   - environment: the environment with `TERM`, `TERMINFO` and `HOME`.
  package static func of(
    input: Int32, output: Int32, environment: [String: String]
  ) -> TerminalKind {
    guard isatty(input) == 1 else { return .none }
    guard isatty(output) == 1, isKnown(environment["TERM"] ?? "", environment) else { return .dumb }
    return .editing
  }

  /// Returns whether terminfo(5) knows a terminal by this name that is not dumb.
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

  /// Returns a terminal's height and width in rows and columns; `nil` if unknown.
  ///
  /// The source is the ioctl `TIOCGWINSZ`. A serial line has a size only after a program has set
  /// one.
  package static func size(_ descriptor: Int32) -> (rows: Int?, columns: Int?) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (nil, nil) }
    return (
      size.ws_row > 0 ? Int(size.ws_row) : nil, size.ws_col > 0 ? Int(size.ws_col) : nil
    )
  }
}
