import Devices
import Foundation

/// A probe that finds out whether a Unix socket is served, and that sends nothing.
package enum SocketProbe {
  /// Connects (`connect`, without waiting) and closes the connection.
  ///
  /// - Returns: `nil` when a process answers, else the system's error number: `ECONNREFUSED` when
  ///   the file is there but no process listens, `EAGAIN` when the listening process is overrun.
  package static func attempt(_ path: String) -> Int32? {
    guard path.utf8.count <= UnixAddress.maximumPathBytes else { return ENAMETOOLONG }
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let result = UnixAddress(path).with { connect(descriptor, $0, $1) }
    return result == 0 ? nil : errno
  }
}
