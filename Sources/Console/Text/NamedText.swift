// With optimisation the compiler takes `stat` for this module's.
import CDispatch
import Foundation

/// A text that somebody names: a file, or the standard input.
///
/// Whatever the name leads to, reading it ends: only plain files are opened, and only so much is
/// read.
public enum NamedText {
  /// The most bytes that are read.
  public static let maximumBytes = 1 << 20

  /// Why there is no text.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, the name quoted, the cause last.
    public let description: String

    init(_ name: String, _ cause: String) {
      description = "\"\(name)\" cannot be read: \(cause)."
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``Failure`` when it is no plain file, longer than ``maximumBytes``, or no UTF-8.
  public static func read(file path: String) throws(Failure) -> String {
    // To open some devices is an act already, so it is looked at before and afterwards.
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    guard isPlain(status) else { throw Failure(path, notPlain) }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard isPlain(status) else { throw Failure(path, notPlain) }
    return try read(descriptor, named: path)
  }

  /// Reads from a descriptor to its end.
  ///
  /// - Parameter name: what it is called in a failure.
  /// - Throws: ``Failure`` when it is longer than ``maximumBytes``, or no UTF-8.
  public static func read(_ descriptor: Int32, named name: String) throws(Failure) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maximumBytes {
      let count = Foundation.read(
        descriptor, &buffer, min(buffer.count, maximumBytes + 1 - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name) }
      if count == 0 { break }
      bytes += buffer.prefix(count)
    }
    guard bytes.count <= maximumBytes else {
      throw Failure(name, "it is longer than \(maximumBytes) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(name, "it is no UTF-8")
    }
    return text
  }

  private static let notPlain = "it is no plain file"

  private static func isPlain(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

  /// What the last call of the system said.
  private static func failure(_ name: String) -> Failure {
    Failure(name, String(cString: strerror(errno)))
  }
}
