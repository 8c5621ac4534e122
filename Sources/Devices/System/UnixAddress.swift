package import Glibc

/// The address of a Unix socket.
package struct UnixAddress {
  /// The longest path that fits `sockaddr_un` with its final NUL, in bytes.
  package static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private var address = sockaddr_un()

  /// Makes the address of a path of at most ``maximumPathBytes``.
  package init(_ path: String) {
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  }

  /// Calls a function with the address, such as `bind` or `connect`, and returns its result.
  package func with<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
