// With optimization the compiler takes `stat` for this module's.
import CDispatch
import Devices
import Foundation

/// A reader for a text with a name: a file, or the standard input.
///
/// Reading always ends: only regular files are opened, and the length is limited.
package enum NamedText {
  /// The most bytes that are read.
  package static let maximumBytes = 1 << 20

  /// The reason why there is no text.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that quotes the name and ends with the cause.
    package let description: String

    init(_ name: String, _ cause: String) {
      description = "\"\(name)\" cannot be read: \(cause)."
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``Failure`` when the file is not regular, is longer than ``maximumBytes``, or is not
  ///   UTF-8.
  package static func read(file path: String) throws(Failure) -> String {
    // Opening some devices has an effect, so the file is checked both before and after opening.
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
  /// - Parameter name: the name of the text in a failure.
  /// - Throws: ``Failure`` when the text is longer than ``maximumBytes`` or is not UTF-8.
  package static func read(_ descriptor: Int32, named name: String) throws(Failure) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemCalls.read(descriptor, limit: maximumBytes)
    } catch {
      throw Failure(name, error.description)
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

  /// Returns a failure with the last system call's error.
  private static func failure(_ name: String) -> Failure {
    Failure(name, SystemError.last.description)
  }
}
