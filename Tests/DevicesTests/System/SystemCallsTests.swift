import Devices
import Glibc
import TestSupport
import Testing

@Suite struct SystemCallsTests {
  @Test func `written bytes are read to the end or just beyond the limit`() async throws {
    try await withTemporaryDirectory { directory in
      let descriptor = open(directory + "/a", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      let bytes = [UInt8](repeating: 7, count: 100_000)
      try SystemCalls.write(bytes[...], to: descriptor)
      lseek(descriptor, 0, SEEK_SET)
      #expect(try SystemCalls.read(descriptor, limit: bytes.count) == bytes)
      lseek(descriptor, 0, SEEK_SET)
      let count = try SystemCalls.read(descriptor, limit: 10).count
      #expect(count > 10 && count < bytes.count)
      #expect(try SystemCalls.names(in: directory) == ["a"])
      #expect(throws: SystemError(ENOTDIR)) { try SystemCalls.names(in: directory + "/a") }
    }
  }

  @Test func `a call that a signal interrupts is made again`() throws {
    var results = [-1, -1, 3]
    let result = try SystemCalls.uninterrupted {
      errno = EINTR
      return results.removeFirst()
    }
    #expect(result == 3)
  }

  @Test func `a descriptor that is not open is an error`() {
    #expect(throws: SystemError(EBADF)) { try SystemCalls.read(-1, limit: 1) }
    #expect(throws: SystemError(EBADF)) { try SystemCalls.write([1], to: -1) }
  }
}
