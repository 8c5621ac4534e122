import Glibc
import Testing

@testable import LinuxDevices

@Suite struct EventThreadTests {
  @Test func `events are handled until the watch is released`() async throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let status = socketpair(AF_UNIX, kind, 0, &ends)
    try #require(status == 0)
    let (ours, watched) = (ends[0], ends[1])
    defer { close(ours) }
    let (handled, sink) = AsyncStream.makeStream(of: UInt8.self)
    var watch = EventThread(descriptor: watched) {
      var byte: UInt8 = 0
      if recv(watched, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { sink.yield(byte) }
    }
    let isWatched = watch != nil
    #expect(isWatched)
    send([1], to: ours)
    var bytes: [UInt8] = []
    for await byte in handled {
      bytes.append(byte)
      if byte == 3 { break }
      send([byte + 1], to: ours)
    }
    #expect(bytes == [1, 2, 3])
    watch = nil
    close(watched)
    // The thread's copy of the descriptor is the last one, and its closing ends the connection.
    var rest: UInt8 = 0
    let count = recv(ours, &rest, 1, 0)
    #expect(count == 0)
  }

  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #expect(count == bytes.count)
  }
}
