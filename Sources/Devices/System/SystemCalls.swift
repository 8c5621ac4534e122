import Glibc

/// Calls on files that are repeated until everything is done, also after a signal.
package enum SystemCalls {
  /// Lists the names in a directory, in no order.
  ///
  /// A name that is no UTF-8 is repaired.
  ///
  /// - Throws: ``SystemError`` when the directory cannot be read.
  package static func names(in directory: String) throws(SystemError) -> [String] {
    guard let stream = opendir(directory) else { throw .last }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      // The name is read in place, because the entry may end after its name.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .last }
    return names
  }

  /// Makes a call, and repeats it while a signal interrupts it.
  ///
  /// - Returns: the call's result, 0 or more.
  /// - Throws: ``SystemError`` when the result is negative.
  package static func uninterrupted(_ call: () -> Int) throws(SystemError) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw .last }
    }
  }

  /// Reads once from a descriptor, at most as many bytes as the buffer has.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  /// - Throws: ``SystemError`` from `read`.
  package static func read(
    _ descriptor: Int32, into buffer: inout [UInt8]
  ) throws(SystemError) -> Int {
    try uninterrupted { Glibc.read(descriptor, &buffer, buffer.count) }
  }

  /// Reads from a descriptor to the end, or until there are more bytes than a limit.
  ///
  /// - Returns: the bytes; more than `limit` when the limit was exceeded.
  /// - Throws: ``SystemError`` from `read`.
  package static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= limit {
      let count = try read(descriptor, into: &buffer)
      if count == 0 { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Throws: ``SystemError`` from `write`; `EIO` when a call takes nothing.
  package static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(SystemError) {
    try write(bytes.span.bytes, to: descriptor)
  }

  /// Writes all bytes of a span to a descriptor.
  ///
  /// - Throws: as ``write(_:to:)``.
  package static func write(_ bytes: RawSpan, to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written..<bytes.byteCount)
      let count = try rest.withUnsafeBytes { (rest: UnsafeRawBufferPointer) throws(SystemError) in
        try uninterrupted { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      }
      guard count > 0 else { throw SystemError(EIO) }
      written += count
    }
  }
}
