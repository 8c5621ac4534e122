import Devices
import Foundation

/// A connection to a Unix socket that sends what it is told and reads only when asked.
final class RawConnection: Sendable {
  private let descriptor: Int32

  init(to path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = UnixAddress(path).with { connect(descriptor, $0, $1) }
    guard result == 0 else { throw CurlFailure(text: SystemError.last.description) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Says that nothing more is sent (`shutdown`), and can read still.
  func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether the other end has closed, which can be seen without reading.
  var isHungUp: Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP) != 0
  }

  /// Reads until the other end has closed.
  func readToTheEnd() async -> String {
    var text = ""
    while case let more = await read(), !more.isEmpty { text += more }
    return text
  }

  /// Reads once, at most 64 KiB or what is said; empty at the end.
  func read(atMost limit: Int = 65_536) async -> String {
    let descriptor = descriptor
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        continuation.resume(
          returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
      }
    }
  }
}
