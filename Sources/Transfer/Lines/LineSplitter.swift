/// A splitter of bytes into lines for server-sent events.
///
/// A line ends with LF, CR LF or CR (the rule of the WHATWG's event-stream format). Bytes that are
/// not UTF-8 become U+FFFD.
package struct LineSplitter: Sendable {
  /// The error of a line over the length limit.
  package struct LineTooLong: Error {}

  private let maximumLineBytes: Int
  private var line: [UInt8] = []
  private var lastWasCarriageReturn = false

  /// Creates a splitter.
  ///
  /// - Parameter maximumLineBytes: the longest line in bytes, without its terminator.
  package init(maximumLineBytes: Int = 1 << 20) {
    self.maximumLineBytes = maximumLineBytes
  }

  /// Takes bytes and calls `emit` for each line that they complete.
  ///
  /// - Throws: ``LineTooLong``.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, emit: (String) -> Void
  ) throws(LineTooLong) {
    for byte in bytes {
      let follows = lastWasCarriageReturn
      lastWasCarriageReturn = byte == UInt8(ascii: "\r")
      switch byte {
      case UInt8(ascii: "\n") where follows:
        continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        emit(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      default:
        guard line.count < maximumLineBytes else { throw LineTooLong() }
        line.append(byte)
      }
    }
  }

  /// Returns the text after the last terminator; `nil` if there is none.
  package mutating func finish() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
