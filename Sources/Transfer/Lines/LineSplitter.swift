/// Cuts a stream of bytes into lines, as server-sent events need it.
///
/// A line ends with LF, CR LF or CR (the rule of the WHATWG's event-stream format). Bytes that are
/// not UTF-8 become U+FFFD.
public struct LineSplitter: Sendable {
  /// A line that is longer than allowed.
  public struct LineTooLong: Error {}

  private let maximumLineBytes: Int
  private var line: [UInt8] = []
  private var lastWasCarriageReturn = false

  /// Makes a splitter.
  ///
  /// - Parameter maximumLineBytes: the longest line, without its end.
  public init(maximumLineBytes: Int = 1 << 20) {
    self.maximumLineBytes = maximumLineBytes
  }

  /// Takes bytes and calls `emit` for each line that is complete with them.
  ///
  /// - Throws: ``LineTooLong``.
  public mutating func add(
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

  /// Returns what came after the last line's end; `nil` when there is nothing.
  public mutating func finish() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
