import Devices
import Foundation
import Testing

/// A service that takes connections and is gone before it answers, as one that starts again and
/// again.
final class BrokenService: Sendable {
  private let descriptor: Int32

  /// Listens on a socket until it is gone itself.
  init(at path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    let bound = UnixAddress(path).with { bind(descriptor, $0, $1) }
    try #require(bound == 0 && listen(descriptor, 16) == 0)
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
