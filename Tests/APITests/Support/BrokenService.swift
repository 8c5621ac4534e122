import Foundation
import Testing

/// A service that takes connections and is gone before it answers, as one that starts again and
/// again.
final class BrokenService: Sendable {
  private let descriptor: Int32

  /// Listens on a socket until it is gone itself.
  init(at path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let descriptor = descriptor
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(descriptor, 16) == 0)
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0, errno == EINTR { continue }
        guard connection >= 0 else { break }
        // Not before something has come: a connection that ends while the client looks whether it
        // stands is none, and then nothing can have been done.
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(connection, &bytes, bytes.count) < 0, errno == EINTR {}
        close(connection)
      }
      close(descriptor)
    }
  }

  /// Ends the thread, which closes the socket.
  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
