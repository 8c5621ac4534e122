import CHostCalls
import Foundation

/// An end of the socket between the service and the camera process.
///
/// The call is `socketpair(AF_UNIX, SOCK_SEQPACKET)`: packets keep their bounds and their order,
/// and the end of the other side is seen at once. Sending and receiving block, and different
/// threads may do them at the same time. ``shutDown()`` ends both.
final class HostSocket: Sendable {
  /// The descriptor; open as long as this object lives.
  let descriptor: Int32

  /// Takes a descriptor over.
  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// A call of the socket that failed.
  struct Failure: Error, Hashable, CustomStringConvertible {
    var code: Int32
    var description: String { String(cString: strerror(code)) }
  }

  /// Makes two connected ends, both close-on-exec.
  ///
  /// - Returns: the end for this process, and the descriptor of the other end, which the caller has
  ///   to close.
  static func pair() throws(Failure) -> (HostSocket, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(code: errno) }
    return (HostSocket(descriptor: ends[0]), ends[1])
  }

  /// Sends a packet with an optional descriptor; waits while the other side does not read.
  func send(_ packet: Data, descriptor attached: Int32? = nil) throws(Failure) {
    let result = packet.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return 0 }
      return CHostCalls_send(descriptor, base, bytes.count, attached ?? -1)
    }
    guard result == 0 else { throw Failure(code: errno) }
  }

  /// The result of a receive.
  enum Received {
    /// A packet and its descriptors, which the receiver has to close.
    case packet(Data, [Int32])
    /// A packet that was too long or has lost descriptors.
    case cut
    /// The other side is gone, in an orderly way or not.
    case end
  }

  /// Waits for a packet.
  func receive() -> Received {
    let capacity = HostCodec.maximumBytes
    var descriptors = [Int32](repeating: -1, count: CHostCalls_maximumDescriptors)
    var count: Int32 = 0
    var isCut: Int32 = 0
    let packet: Data? = withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) {
      space -> Data? in
      guard let base = space.baseAddress else { return nil }
      let length = CHostCalls_receive(
        descriptor, base, capacity, &descriptors, &count, &isCut)
      return length > 0 ? Data(bytes: base, count: length) : nil
    }
    let attached = Array(descriptors.prefix(Int(count)))
    guard let packet, isCut == 0 else {
      for descriptor in attached { Glibc.close(descriptor) }
      return packet == nil ? .end : .cut
    }
    return .packet(packet, attached)
  }

  /// Ends sending and receiving on both sides (`shutdown(2)`).
  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
