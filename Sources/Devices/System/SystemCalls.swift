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

  /// Reads from a descriptor to the end, or until there are more bytes than a limit.
  ///
  /// - Returns: the bytes; more than `limit` when the limit was exceeded.
  /// - Throws: ``SystemError`` from `read`.
  package static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
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
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      guard count > 0 else { throw SystemError(EIO) }
      rest = rest.dropFirst(count)
    }
  }
}
