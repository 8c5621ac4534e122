import Devices
import Foundation
import Glibc
import Testing

@testable import CameraHost

/// The messages of a camera process, to a service that reads them and to one that does not.
@Suite(.timeLimit(.minutes(5))) struct HostSenderTests {
  private let service: HostSocket
  private let sender: HostSender

  init() throws {
    let (socket, other) = try HostSocket.pair()
    service = HostSocket(descriptor: other)
    // The kernel's smallest buffer, which is full after a few messages.
    var size: Int32 = 1
    setsockopt(
      socket.descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    sender = HostSender(socket: socket) { Issue.record("sending failed: \($0)") }
  }

  private func event(_ id: UInt64) -> HostReply {
    .event(
      stream: 1,
      .frame(FrameInfo(id: id, sequence: id, timestamp: MonotonicInstant(nanoseconds: 0))))
  }

  /// Reads messages up to the end of the stream, with the number of descriptors of each.
  private func readAll() throws -> [(reply: HostReply, descriptorCount: Int)] {
    var replies: [(reply: HostReply, descriptorCount: Int)] = []
    var space = ReceiveSpace()
    while case .packet(let packet, let descriptors) = service.receive(into: &space) {
      for descriptor in descriptors { close(descriptor) }
      let reply = try HostCodec.reply(in: packet)
      if case .endOfStream = reply { break }
      replies.append((reply: reply, descriptorCount: descriptors.count))
    }
    return replies
  }

  @Test func `a camera never waits for a service that does not read`() throws {
    let count: UInt64 = 2000
    for id in 1...count {
      sender.send(event(id))
      if id % 500 == 0 { sender.send(.answer(id: id, .done)) }
    }
    sender.endStream(1)
    var ids: [UInt64] = []
    var answers: [UInt64] = []
    for (reply, _) in try readAll() {
      switch reply {
      case .event(_, .frame(let frame)):
        ids.append(frame.id)
        #expect(frame.id > answers.last ?? 0, "an answer came before older events")
      case .answer(let id, _): answers.append(id)
      default: Issue.record("unexpected \(reply)")
      }
    }
    #expect(answers == [500, 1000, 1500, 2000])
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    #expect(ids.count < 2000)
    let newest = UInt64(HostOutbox.maximumFrames)
    #expect(Array(ids.suffix(HostOutbox.maximumFrames)) == Array((count - newest + 1)...count))
  }

  /// No more frames wait than are kept, so none may be missing, however sending changes its way.
  @Test func `nothing is lost or overtaken when the socket fills and empties`() throws {
    let count = UInt64(HostOutbox.maximumFrames)
    for round: UInt64 in 0..<20 {
      let ids = (round * count + 1)...((round + 1) * count)
      Thread.detachNewThread { [sender] in
        for id in ids {
          sender.send(event(id))
          if id % 50 == 0 { sender.send(.answer(id: id, .done)) }
        }
        sender.endStream(1)
      }
      let numbers = try readAll().map { reply, _ -> UInt64? in
        switch reply {
        case .event(_, .frame(let frame)): frame.id
        case .answer(let id, .done): id
        default: nil
        }
      }
      let expected = ids.flatMap { id -> [UInt64?] in id % 50 == 0 ? [id, id] : [id] }
      #expect(numbers == expected, "round \(round)")
    }
  }

  @Test func `newer frames displace no other event`() throws {
    let lost = HostReply.event(stream: 1, .disconnected)
    for id: UInt64 in 1...500 { sender.send(event(id)) }
    sender.send(lost)
    for id: UInt64 in 501...1000 { sender.send(event(id)) }
    sender.endStream(1)
    let replies = try readAll()
    #expect(replies.filter { $0.reply == lost }.count == 1)
  }

  @Test func `a buffer is sent once a stream, in the order of the messages`() throws {
    let leases = [try FakeBuffer.lease("/dev/zero"), try FakeBuffer.lease("/dev/null")]
    for round in 0..<2 {
      for id: UInt64 in 0..<6 {
        sender.send(leases[Int(id % 2)], number: id, answering: id, stream: 1)
        sender.send(event(id))
      }
      sender.endStream(1)
      let replies = try readAll()
      #expect(replies.map { $0.descriptorCount } == [1, 0, 1] + [Int](repeating: 0, count: 9))
      let buffers = replies.compactMap { reply, _ -> Int? in
        if case .answer(_, .lease(let lease)) = reply { lease.buffer } else { nil }
      }
      #expect(buffers == [0, 1, 0, 1, 0, 1], "round \(round)")
      let numbers = replies.map { reply, _ -> UInt64? in
        switch reply {
        case .answer(let id, _): id
        case .event(_, .frame(let frame)): frame.id
        default: nil
        }
      }
      #expect(numbers == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    }
  }

  @Test func `sending to a service that is gone is no fault`() {
    service.shutDown()
    for id: UInt64 in 1...3 { sender.send(event(id)) }
    sender.endStream(1)
  }

  @Test func `a service that is gone with unread messages is no fault`() throws {
    let (socket, other) = try HostSocket.pair()
    let sender = HostSender(socket: socket) { Issue.record("sending failed: \($0)") }
    sender.send(event(1))
    close(other)
    for id: UInt64 in 2...4 { sender.send(event(id)) }
  }
}

/// A buffer without a camera.
private final class FakeBuffer: FrameBuffer {
  let fileDescriptor: Int32
  let offset = 0
  let byteCount = 0

  private init(fileDescriptor: Int32) {
    self.fileDescriptor = fileDescriptor
  }

  deinit { close(fileDescriptor) }

  static func lease(_ path: String) throws -> FrameLease {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return FrameLease(
      info: FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0)),
      format: StreamFormat(
        size: FrameSize(width: 1, height: 1), pixelFormat: .rgb, bytesPerRow: 3,
        colorSpace: .unspecified),
      buffer: FakeBuffer(fileDescriptor: descriptor))
  }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {}

  func giveBack() {}
}
