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

  /// A file with a byte for each port; a process locks those of its ports until it ends.
  private static let ports = open(
    "/tmp/platen-test-ports-\(geteuid())", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)

  /// Returns a free port of 127.0.0.1, which no test process gives out until this one ends.
  package static func free() throws(Failure) -> UInt16 {
    for _ in range {
      let port = next.withLock { next -> UInt16? in
        next += 1
        let place = next % range.count
        guard lseek(ports, off_t(place), SEEK_SET) >= 0, lockf(ports, F_TLOCK, 1) == 0 else {
          return nil
        }
        return UInt16(range.lowerBound + place)
      }
      if let port, isFree(port) { return port }
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
