import Glibc

/// A system call's failure, as its `errno`.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The `errno`, positive.
  package let number: Int32

  /// Makes an error from an `errno`; a negative number, as of C libraries, counts as positive.
  package init(_ number: Int32) {
    self.number = abs(number)
  }

  /// The failure of the last system call on this thread.
  package static var last: SystemError { SystemError(errno) }

  /// Whether this process or the machine lacks descriptors or memory.
  ///
  /// The file or the peer of the call is not at fault, so that the call may succeed later.
  package var isResourceShortage: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number) }

  /// The system's message for the number.
  package var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: base)
    }
  }
}
