import Devices
import Foundation
import TestSupport
import Testing

@testable import CameraHost

extension HostedCameras {
  @Suite struct HostSocketTests {
    private func pair() throws -> (HostSocket, HostSocket) {
      let (one, other) = try HostSocket.pair()
      return (one, HostSocket(descriptor: other))
    }

    @Test func `packets keep their bounds`() throws {
      let (one, other) = try pair()
      try one.send([1, 2, 3])
      try one.send([4])
      var space = ReceiveSpace()
      let packets: [ArraySlice<UInt8>] = [[1, 2, 3], [4]]
      for expected in packets {
        guard case .packet(let packet, let descriptors) = other.receive(into: &space) else {
          Issue.record("no packet")
          return
        }
        #expect(packet == expected)
        #expect(descriptors.isEmpty)
      }
    }

    @Test func `packets come into the same memory`() throws {
      let (one, other) = try pair()
      var space = ReceiveSpace()
      var places: Set<UInt> = []
      for number: UInt8 in 1...3 {
        try one.send([number])
        let found = place(ofPacketFrom: other, into: &space)
        places.insert(try #require(found))
      }
      #expect(places.count == 1)
    }

    private func place(ofPacketFrom socket: HostSocket, into space: inout ReceiveSpace) -> UInt? {
      guard case .packet(let packet, _) = socket.receive(into: &space) else { return nil }
      return packet.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func `a kept packet stays as it came`() throws {
      let (one, other) = try pair()
      var space = ReceiveSpace()
      var kept: [ArraySlice<UInt8>] = []
      for number: UInt8 in 1...3 {
        try one.send([number, number])
        guard case .packet(let packet, _) = other.receive(into: &space) else {
          Issue.record("no packet")
          return
        }
        kept.append(packet)
      }
      #expect(kept == [[1, 1], [2, 2], [3, 3]])
    }

    @Test func `sending at once waits for nobody`() throws {
      let (one, other) = try pair()
      var sent = 0
      while try one.sendAtOnce([UInt8](repeating: 1, count: 1000)) { sent += 1 }
      #expect(sent > 0)
      var space = ReceiveSpace()
      for _ in 0..<sent {
        guard case .packet = other.receive(into: &space) else {
          Issue.record("no packet")
          return
        }
      }
      #expect(try one.sendAtOnce([2]))
    }

    @Test func `a descriptor leads to the same file`() throws {
      let (one, other) = try pair()
      let file = open("/dev/zero", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      try one.send([1], descriptors: [file])
      var space = ReceiveSpace()
      guard case .packet(_, let descriptors) = other.receive(into: &space),
        let got = descriptors.first
      else {
        Issue.record("no descriptor")
        return
      }
      defer { close(got) }
      #expect(got != file)
      #expect(fcntl(got, F_GETFD) == FD_CLOEXEC)
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(got)")
      #expect(path == "/dev/zero")
    }

    @Test func `the longest packet fits and a longer one is cut`() async throws {
      let (one, other) = try pair()
      try one.send([UInt8](repeating: 7, count: HostCodec.maximumBytes))
      var space = ReceiveSpace()
      guard case .packet(let packet, _) = other.receive(into: &space) else {
        Issue.record("no packet")
        return
      }
      #expect(packet.count == HostCodec.maximumBytes)
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { close(ends[0]) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      try one.send(
        [UInt8](repeating: 7, count: HostCodec.maximumBytes + 1), descriptors: [ends[1]])
      close(ends[1])
      guard case .cut = other.receive(into: &space) else {
        Issue.record("it was not cut")
        return
      }
      // The descriptor that came with the packet is closed: the pipe is at its end.
      var byte: UInt8 = 0
      try await eventually { read(ends[0], &byte, 1) == 0 }
    }

    @Test func `the end of the other side is seen and sending to it fails`() throws {
      let (one, other) = try HostSocket.pair()
      close(other)
      var space = ReceiveSpace()
      guard case .end = one.receive(into: &space) else {
        Issue.record("no end")
        return
      }
      let error = #expect(throws: SystemError.self) { try one.send([1]) }
      #expect(error?.number == EPIPE)
      let atOnce = #expect(throws: SystemError.self) { try one.sendAtOnce([1]) }
      #expect(atOnce?.number == EPIPE)
    }
  }
}
