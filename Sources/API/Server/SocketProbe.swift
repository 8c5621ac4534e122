import Foundation

/// A probe that finds out whether a Unix socket is served, and that sends nothing.
package enum SocketProbe {
  /// The longest path that fits `sockaddr_un` with its final NUL, in bytes.
  package static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Connects (`connect`, without waiting) and closes the connection.
  ///
  /// - Returns: `nil` when a process answers, else the system's error number: `ECONNREFUSED` when
  ///   the file is there but no process listens, `EAGAIN` when the listening process is overrun.
  package static func attempt(_ path: String) -> Int32? {
    guard path.utf8.count <= maximumPathBytes else { return ENAMETOOLONG }
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    return result == 0 ? nil : errno
  }
}
