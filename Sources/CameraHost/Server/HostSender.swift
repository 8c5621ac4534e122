import Devices
import Glibc

/// The sender of the camera process's messages, one after the other.
///
/// The sender is an actor on its own queue, because sending waits while the service does not read.
/// The sender knows the buffers that the service has, so that each is sent once per stream.
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
  /// - Parameter fail: a closure that gets the problem of a failed send.
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

  /// Reports the end of a stream and forgets the stream's buffers.
  func endStream(_ stream: Int) {
    buffers[stream] = nil
    send(.endOfStream(stream))
  }

  private func transmit(_ reply: HostReply, descriptor: Int32?) {
    do {
      try socket.send(try HostCodec.encode(reply), descriptor: descriptor)
    } catch let error as HostSocket.Failure where error.code == EPIPE {
      // The service is gone. The reading thread sees the end too, and ends the process.
    } catch {
      fail("\(error)")
    }
  }
}
