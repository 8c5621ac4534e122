import Foundation

/// A blocking TCP connection on 127.0.0.1, closed with its last reference.
final class Socket: Sendable {
  struct Failure: Error { var number = errno }

  // Programs that tests start do not inherit the sockets, as they would keep connections open.
  private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Listens on a free port.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, kind, 0)
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && Foundation.listen(descriptor, 64) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard result else { throw Failure() }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection; returns `nil` when the listener is shut down.
  static func accept(on listener: Int32) -> Socket? {
    let descriptor = Int32(uninterrupted { Int(Foundation.accept(listener, nil, nil)) })
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return Socket(descriptor)
  }

  /// Connects to a port; returns `nil` when there is no listener.
  static func connect(to port: UInt16) -> Socket? {
    let connection = Socket(socket(AF_INET, kind, 0))
    var address = loopback(port: port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(
          connection.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return result == 0 ? connection : nil
  }

  /// Repeats a call that a signal has interrupted, or whose caller has gone.
  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      guard result < 0, [EINTR, ECONNABORTED].contains(errno) else { return result }
    }
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Reads to the empty line after a head; returns `nil` when the connection ends before.
  func readHead() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < 65536, let byte = read(1) else { return nil }
      head += byte
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Reads so many bytes; returns `nil` when the connection ends before.
  func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = bytes.withUnsafeMutableBytes { bytes in
        Self.uninterrupted {
          recv(descriptor, bytes.baseAddress.map { $0 + filled }, count - filled, 0)
        }
      }
      guard result > 0 else { return nil }
      filled += result
    }
    return bytes
  }

  /// Reads to the end of the connection.
  func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let result = piece.withUnsafeMutableBytes { bytes in
        Self.uninterrupted { recv(descriptor, bytes.baseAddress, bytes.count, 0) }
      }
      guard result > 0 else { return all }
      all += piece[..<result]
    }
  }

  /// Writes bytes; returns `false` when the other side is gone.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let result = bytes.withUnsafeBytes { bytes in
        Self.uninterrupted {
          send(
            descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
            Int32(MSG_NOSIGNAL))
        }
      }
      guard result > 0 else { return false }
      sent += result
    }
    return true
  }

  /// Writes text; returns `false` when the other side is gone.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Tells the other side that nothing more will be written.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the coming close a reset, which discards unread bytes.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}
