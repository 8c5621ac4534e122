import Foundation
import Synchronization

/// Free ports of this machine, to listen at or to find no listener at.
package enum LocalPort {
  /// The error that no port is free, which only a very busy machine explains.
  package struct Failure: Error {}

  /// The range of the ports, below those of outgoing connections and of `board/lib/servers`.
  ///
  /// Outgoing connections may take any port of `ip_local_port_range` at any time.
  private static let range = 10_000..<20_000

  /// The place of the next port in the range.
  ///
  /// Test processes run side by side. Each begins elsewhere, also with consecutive process IDs.
  private static let next = Mutex(Int(getpid()) * 97)

  /// Returns a free port of 127.0.0.1, which this process does not give out again.
  package static func free() throws(Failure) -> UInt16 {
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
