import Foundation

/// The last lines that were run, the oldest first, kept in a file of the user's own.
public struct CommandHistory: Sendable {
  /// How many lines are kept.
  public static let limit = 500

  /// The lines.
  public private(set) var lines: [String] = []
  private let path: String?

  /// Reads the history of a file, or begins an empty one.
  ///
  /// - Parameter path: the file; `nil` for a history that is kept nowhere.
  public init(path: String?) {
    self.path = path
    guard let path, let data = FileManager.default.contents(atPath: path) else { return }
    // A damaged file is no reason to have no console: what cannot be read is left out.
    let texts = data.split(separator: UInt8(ascii: "\n")).suffix(Self.limit)
    lines = texts.compactMap { String(validating: $0, as: UTF8.self) }
      .filter { PlainText.escaping($0) == $0 && $0.utf8.count <= LineAssembler.maximumBytes }
  }

  /// Where the user's history is: `platen/console-history` in the folder for state of the XDG Base
  /// Directory Specification; `nil` without a home.
  public static func path(environment: [String: String]) -> String? {
    let name = "/platen/console-history"
    // The specification has relative paths ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + name }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/state" + name
  }

  /// Adds a line, unless it is empty or the same as the last one, and writes the file.
  ///
  /// - Returns: whether it was added; that it could not be written is no reason to stop working.
  @discardableResult
  public mutating func add(_ line: String) -> Bool {
    guard !line.allSatisfy(\.isWhitespace), line != lines.last, PlainText.escaping(line) == line
    else { return false }
    lines.append(line)
    lines.removeFirst(max(0, lines.count - Self.limit))
    write()
    return true
  }

  /// Writes the file anew beside itself, so that it is whole whatever happens; mode 0600.
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
    // The mode of a file that was there already.
    let isPrivate = fchmod(descriptor, 0o600) == 0
    close(descriptor)
    if !(isWritten && isPrivate && rename(part, path) == 0) { unlink(part) }
  }
}
