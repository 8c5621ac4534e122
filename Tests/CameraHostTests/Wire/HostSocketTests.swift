import Foundation
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
      try one.send(Data([1, 2, 3]))
      try one.send(Data([4]))
      for expected in [Data([1, 2, 3]), Data([4])] {
        guard case .packet(let packet, let descriptors) = other.receive() else {
          Issue.record("no packet")
          return
        }
        #expect(packet == expected)
        #expect(descriptors.isEmpty)
      }
    }

    @Test func `a descriptor leads to the same file`() throws {
      let (one, other) = try pair()
      let file = open("/dev/zero", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      try one.send(Data([1]), descriptor: file)
      guard case .packet(_, let descriptors) = other.receive(), let got = descriptors.first else {
        Issue.record("no descriptor")
        return
      }
      defer { close(got) }
      #expect(got != file)
      #expect(fcntl(got, F_GETFD) == FD_CLOEXEC)
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(got)")
      #expect(path == "/dev/zero")
    }

    @Test func `the longest packet fits and a longer one is cut`() throws {
      let (one, other) = try pair()
      try one.send(Data(repeating: 7, count: HostCodec.maximumBytes))
      guard case .packet(let packet, _) = other.receive() else {
        Issue.record("no packet")
        return
      }
      #expect(packet.count == HostCodec.maximumBytes)
      let before = try Holdings.now().descriptors
      try one.send(Data(repeating: 7, count: HostCodec.maximumBytes + 1), descriptor: 0)
      guard case .cut = other.receive() else {
        Issue.record("it was not cut")
        return
      }
      // The descriptors that came with the packet are closed; other tests may close theirs
      // meanwhile.
      #expect(try Holdings.now().descriptors <= before)
    }

    @Test func `the end of the other side is seen and sending to it fails`() throws {
      let (one, other) = try HostSocket.pair()
      close(other)
      guard case .end = one.receive() else {
        Issue.record("no end")
        return
      }
      let error = #expect(throws: HostSocket.Failure.self) { try one.send(Data([1])) }
      #expect(error?.code == EPIPE)
    }
  }
}
