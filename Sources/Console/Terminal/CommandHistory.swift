import Foundation

/// The last lines that were run, the oldest first, kept in a file of the user.
package struct CommandHistory: Sendable {
  /// The number of lines kept.
  package static let limit = 500

  /// The lines.
  package private(set) var lines: [String] = []
  private let path: String?

  /// Reads a file's history, or begins an empty one.
  ///
  /// - Parameter path: the file; `nil` for a history without a file.
  package init(path: String?) {
    self.path = path
    guard let path, let data = FileManager.default.contents(atPath: path) else { return }
    // A damaged file must not prevent a console, so unreadable lines are skipped.
    let texts = data.split(separator: UInt8(ascii: "\n")).suffix(Self.limit)
    lines = texts.compactMap { String(validating: $0, as: UTF8.self) }
      .filter { PlainText.escaping($0) == $0 && $0.utf8.count <= LineAssembler.maximumBytes }
  }

  /// Returns the path of the user's history; `nil` without a home.
  ///
  /// The file is `platen/console-history` in the state folder of the XDG Base Directory
  /// Specification.
  package static func path(environment: [String: String]) -> String? {
    let name = "/platen/console-history"
    // The specification requires that relative paths be ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + name }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/state" + name
  }

  /// Adds a line, unless it is empty or equal to the last one, and writes the file.
  ///
  /// - Returns: whether the line was added; a failure to write is ignored.
  @discardableResult
  package mutating func add(_ line: String) -> Bool {
    guard !line.allSatisfy(\.isWhitespace), line != lines.last, PlainText.escaping(line) == line
    else { return false }
    lines.append(line)
    lines.removeFirst(max(0, lines.count - Self.limit))
    write()
    return true
  }

  /// Writes a new file with mode 0600 and renames it, so that a failure leaves the old file whole.
  private func write() {
    guard let path else { return }
    let directory = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let part = "\(path).\(getpid())"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    let isWritten = Foundation.write(descriptor, bytes, bytes.count) == bytes.count
    // This sets the mode of an existing file too.
    let isPrivate = fchmod(descriptor, 0o600) == 0
    close(descriptor)
    if !(isWritten && isPrivate && rename(part, path) == 0) { unlink(part) }
  }
}
