import Foundation
import Synchronization

/// Ports of this machine to listen at, or to find nobody at.
public enum LocalPort {
  /// No port can be had, which nothing but a very busy machine explains.
  public struct Failure: Error {}

  /// Below those that outgoing connections take theirs from (`ip_local_port_range`), which may take
  /// any of them any time, and below those of `board/lib/servers`.
  private static let range = 10_000..<20_000

  /// The place in the range of the next one.
  ///
  /// Test processes run beside each other: each begins elsewhere, also when their numbers follow
  /// each other.
  private static let next = Mutex(Int(getpid()) * 97)

  /// A port of 127.0.0.1 that nobody has now, and that this process gives nobody else.
  public static func free() throws(Failure) -> UInt16 {
    for _ in range {
      let place = next.withLock { next in
        next += 1
        return next % range.count
      }
      let port = UInt16(range.lowerBound + place)
      if isFree(port) { return port }
    }
    throw Failure()
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    } == 0
  }
}
