import CHostCalls
package import Devices
import Glibc

/// The memory of a reading thread, into which its packets come one after the other.
///
/// A packet that is kept beyond the next one is copied then.
package struct ReceiveSpace {
  fileprivate var bytes = [UInt8](repeating: 0, count: HostCodec.maximumBytes)
  fileprivate var descriptors = [Int32](repeating: -1, count: CHostCalls_maximumDescriptors)

  package init() {}
}

/// An end of the socket between the service and a process that it hosts.
///
/// The call is `socketpair(AF_UNIX, SOCK_SEQPACKET)`: packets keep their bounds and their order,
/// and the end of the other side is seen at once. Sending and receiving block, except for
/// ``sendAtOnce(_:)``. Different threads may do them at the same time. ``shutDown()`` ends both.
package final class HostSocket: Sendable {
  /// The descriptor; open as long as this object lives.
  let descriptor: Int32

  /// Takes a descriptor over.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// Makes two connected ends, both close-on-exec.
  ///
  /// - Returns: the end for this process, and the descriptor of the other end, which the caller has
  ///   to close.
  package static func pair() throws(SystemError) -> (HostSocket, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
    return (HostSocket(descriptor: ends[0]), ends[1])
  }

  /// Sends a packet with up to four descriptors; waits while the other side does not read.
  package func send(_ packet: [UInt8], descriptors: [Int32] = []) throws(SystemError) {
    let result = packet.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return 0 }
      return CHostCalls_send(descriptor, base, bytes.count, descriptors, Int32(descriptors.count))
    }
    guard result == 0 else { throw .last }
  }

  /// Sends a packet unless the call would wait for the other side (`MSG_DONTWAIT`).
  ///
  /// - Returns: whether the packet was sent.
  func sendAtOnce(_ packet: [UInt8]) throws(SystemError) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    while true {
      let count = packet.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
      }
      if count >= 0 { return true }
      let error = SystemError.last
      if error.number == EAGAIN { return false }
      if error.number != EINTR { throw error }
    }
  }

  /// The result of a receive.
  package enum Received {
    /// A packet and its descriptors, which the receiver has to close.
    case packet(ArraySlice<UInt8>, [Int32])
    /// A packet that was too long or has lost descriptors.
    case cut
    /// The other side is gone, in an orderly way or not.
    case end
  }

  /// Waits for a packet.
  package func receive(into space: inout ReceiveSpace) -> Received {
    let capacity = space.bytes.count
    var count: Int32 = 0
    var isCut: Int32 = 0
    let length = CHostCalls_receive(
      descriptor, &space.bytes, capacity, &space.descriptors, &count, &isCut)
    let attached = count > 0 ? Array(space.descriptors.prefix(Int(count))) : []
    guard length > 0, isCut == 0 else {
      for descriptor in attached { Glibc.close(descriptor) }
      return length > 0 ? .cut : .end
    }
    return .packet(space.bytes[..<length], attached)
  }

  /// Ends sending and receiving on both sides (`shutdown(2)`).
  package func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
