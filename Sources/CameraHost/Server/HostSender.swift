import Devices
import Dispatch
import Glibc
import Synchronization

/// The sender of the camera process's messages, in the order in which they are given.
///
/// A message goes to the socket at once, on the caller's thread. No caller waits: while the service
/// does not read, messages are kept for a queue that sends them (``HostOutbox``). The sender knows
/// the buffers that the service has, so that each is sent once per stream.
final class HostSender: Sendable {
  private struct FileID: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private struct State {
    var outbox = HostOutbox()
    var buffers: [Int: [FileID: Int]] = [:]
    /// The packet that is being made, kept for its memory.
    var packet: [UInt8] = []
  }

  /// The caller's next step after a message.
  private enum Step {
    case done
    case startWriter
    case fail(String)
  }

  private let socket: HostSocket
  private let fail: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "platen.camera-host.replies")
  private let state = Mutex(State())

  /// Makes a sender.
  ///
  /// - Parameter fail: a closure that gets the problem of a failed send.
  init(socket: HostSocket, fail: @escaping @Sendable (String) -> Void) {
    self.socket = socket
    self.fail = fail
  }

  /// Sends a message.
  func send(_ reply: HostReply) {
    perform(state.withLock { transmit(reply, lease: nil, &$0) })
  }

  /// Answers with a lease, and with its buffers' descriptors when the service lacks one.
  func send(_ lease: FrameLease, number: UInt64, answering id: UInt64, stream: Int) {
    var files: [FileID] = []
    for descriptor in lease.descriptors {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        return fail("a buffer has no descriptor: \(SystemError.last)")
      }
      files.append(FileID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
    }
    let step = state.withLock { state -> Step in
      var isNew = false
      var places = files.map { file -> Int in
        if let known = state.buffers[stream]?[file] { return known }
        isNew = true
        let place = state.buffers[stream]?.count ?? 0
        state.buffers[stream, default: [:]][file] = place
        return place
      }
      let buffer = lease.buffer
      var hosted = HostedLease(
        lease: number, info: lease.info, format: lease.format, buffer: places.removeFirst(),
        offset: buffer.offset, byteCount: buffer.byteCount)
      if let raw = lease.raw {
        hosted.raw = HostedRawFrame(
          format: raw.format, properties: raw.properties, buffer: places.removeFirst(),
          offset: raw.memory.offset, byteCount: raw.memory.byteCount)
      }
      if let preview = lease.preview {
        hosted.preview = HostedPreview(
          format: preview.format, buffer: places.removeFirst(), offset: preview.memory.offset,
          byteCount: preview.memory.byteCount)
      }
      return transmit(.answer(id: id, .lease(hosted)), lease: isNew ? lease : nil, &state)
    }
    perform(step)
  }

  /// Reports the end of a stream and forgets the stream's buffers.
  func endStream(_ stream: Int) {
    let step = state.withLock { state -> Step in
      state.buffers[stream] = nil
      return transmit(.endOfStream(stream), lease: nil, &state)
    }
    perform(step)
  }

  /// Sends a message or keeps it, under the lock, so that no other message overtakes it.
  ///
  /// A descriptor is sent by the writer, which may wait for it.
  private func transmit(_ reply: HostReply, lease: FrameLease?, _ state: inout State) -> Step {
    do {
      try HostCodec.write(reply, to: &state.packet)
      if lease == nil, state.outbox.isEmpty, try socket.sendAtOnce(state.packet) { return .done }
    } catch let error as SystemError where error.isEndOfService {
      return .done
    } catch {
      return .fail("\(error)")
    }
    let isFirst = state.outbox.add(
      HostOutbox.Packet(bytes: state.packet, isFrame: reply.isFrame, lease: lease))
    return isFirst ? .startWriter : .done
  }

  private func perform(_ step: Step) {
    switch step {
    case .done: break
    case .startWriter: queue.async { self.writeKept() }
    case .fail(let problem): fail(problem)
    }
  }

  /// Sends the kept messages; waits while the service does not read.
  private func writeKept() {
    while let packet = state.withLock({ $0.outbox.next() }) {
      do throws(SystemError) {
        try socket.send(packet.bytes, descriptors: packet.lease?.descriptors ?? [])
      } catch {
        if !error.isEndOfService { fail("\(error)") }
      }
    }
  }
}

extension SystemError {
  /// Whether the service is gone; the reading thread sees that too, and ends the process.
  ///
  /// `ECONNRESET` comes once when the service has left messages unread.
  fileprivate var isEndOfService: Bool { number == EPIPE || number == ECONNRESET }
}

extension FrameLease {
  /// The descriptors of the processed frame, then of the raw one, and then of the preview.
  fileprivate var descriptors: [Int32] {
    let memories: [(any FrameMemory)?] = [buffer, raw?.memory, preview?.memory]
    return memories.compactMap { $0?.fileDescriptor }
  }
}

extension HostReply {
  /// Whether the message is the event of a frame, whole or damaged.
  fileprivate var isFrame: Bool {
    switch self {
    case .event(_, .frame), .event(_, .damagedFrame): true
    default: false
    }
  }
}
