import Devices
import Glibc

/// Sends what the camera process has to say, one message after the other.
///
/// An actor on a queue of its own, because sending waits while the service does not read. It knows
/// which buffers the service has got, so that each is sent once a stream.
actor HostSender {
  private struct FileID: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private let executor = DispatchQueueExecutor(label: "platen.camera-host.replies")
  private let socket: HostSocket
  private let fail: @Sendable (String) -> Void
  private var buffers: [Int: [FileID: Int]] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a sender.
  ///
  /// - Parameter fail: told when something could not be sent.
  init(socket: HostSocket, fail: @escaping @Sendable (String) -> Void) {
    self.socket = socket
    self.fail = fail
  }

  /// Sends a message.
  func send(_ reply: HostReply) {
    transmit(reply, descriptor: nil)
  }

  /// Answers with a lease, and with its buffer's descriptor when the service does not have it.
  func send(_ lease: FrameLease, number: UInt64, answering id: UInt64, stream: Int) {
    let buffer = lease.buffer
    var status = stat()
    guard fstat(buffer.fileDescriptor, &status) == 0 else {
      let cause = String(cString: strerror(errno))
      return fail("a buffer has no descriptor: \(cause)")
    }
    let file = FileID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    let known = buffers[stream]?[file]
    let place = known ?? (buffers[stream]?.count ?? 0)
    buffers[stream, default: [:]][file] = place
    transmit(
      .answer(
        id: id,
        .lease(
          HostedLease(
            lease: number, info: lease.info, format: lease.format, buffer: place,
            offset: buffer.offset, byteCount: buffer.byteCount))),
      descriptor: known == nil ? buffer.fileDescriptor : nil)
  }

  /// Says that a stream has ended and forgets its buffers.
  func endStream(_ stream: Int) {
    buffers[stream] = nil
    send(.endOfStream(stream))
  }

  private func transmit(_ reply: HostReply, descriptor: Int32?) {
    do {
      try socket.send(try HostCodec.encode(reply), descriptor: descriptor)
    } catch let error as HostSocket.Failure where error.code == EPIPE {
      // The service has gone; the thread that reads sees that, too, and ends the process.
    } catch {
      fail("\(error)")
    }
  }
}
