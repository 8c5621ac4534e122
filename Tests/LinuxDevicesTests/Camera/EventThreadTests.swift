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
    var watch = EventThread(
      descriptor: watched,
      handler: {
        var byte: UInt8 = 0
        if recv(watched, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { sink.yield(byte) }
      }, failed: { _ in sink.finish() })
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

  @Test func `only an interrupted wait is repeated`() {
    var results: [Int32] = [-EINTR, 1, -EINTR, -ENOMEM, 1]
    var handled = 0
    let failure = EventThread.handle(
      0, until: 1, { handled += 1 },
      wait: { watched in
        if results.first == 1 { watched[0].revents = Int16(POLLIN) }
        return results.removeFirst()
      })
    #expect(failure == ENOMEM)
    #expect(handled == 1)
    #expect(results == [1])
  }

  @Test(arguments: [POLLERR, POLLNVAL])
  func `a descriptor without events ends the watch`(event: Int32) {
    var handled = 0
    let failure = EventThread.handle(
      0, until: 1, { handled += 1 },
      wait: { watched in
        watched[0].revents = Int16(event)
        return 1
      })
    #expect(failure == EBADF)
    #expect(handled == 0)
  }

  @Test func `a released watch ends without a failure`() {
    let failure = EventThread.handle(
      0, until: 1, {},
      wait: { watched in
        watched[1].revents = Int16(POLLHUP)
        return 1
      })
    #expect(failure == nil)
  }

  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #expect(count == bytes.count)
  }
}
