import Devices
import Foundation

/// A Unix socket that takes connections and never answers, until its deinitialization.
package final class SilentSocket: Sendable {
  /// The socket's path.
  package let path: String
  private let descriptor: Int32

  /// Listens at a path, by default one of its own.
  ///
  /// - Throws: `SystemError`.
  package init(
    at path: String = "/tmp/platen-silent-\(UInt64.random(in: 0...UInt64.max))"
  ) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = UnixAddress(path).with { bind(descriptor, $0, $1) }
    guard bound == 0, listen(descriptor, 16) == 0 else { throw SystemError.last }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}
