package import Devices
import Glibc

/// A file in which a recording is written; an open descriptor, or a test's double.
package protocol MovieFile: Sendable {
  /// Writes all bytes at a position.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError)
  /// Reads bytes from a position.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int64) throws(SystemError) -> Int
  /// Forces all that was written to stable storage.
  func synchronize() throws(SystemError)
  /// Cuts the file to a length.
  func truncate(to length: Int64) throws(SystemError)
}

/// A file that another process has opened, closed with this object.
package final class DescriptorFile: MovieFile {
  private let descriptor: Int32

  /// Takes a descriptor over, which allows writing and reading.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = try SystemCalls.uninterrupted {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(position) + off_t(written))
      }
      guard count > 0 else { throw SystemError(EIO) }
      written += count
    }
  }

  package func read(
    _ bytes: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(SystemError) -> Int {
    try SystemCalls.uninterrupted {
      pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
    }
  }

  package func synchronize() throws(SystemError) {
    // A failed call is not repeated: the kernel may have dropped the pages and then reports none.
    guard fdatasync(descriptor) == 0 else { throw .last }
  }

  package func truncate(to length: Int64) throws(SystemError) {
    _ = try SystemCalls.uninterrupted { Int(ftruncate(descriptor, off_t(length))) }
  }
}
