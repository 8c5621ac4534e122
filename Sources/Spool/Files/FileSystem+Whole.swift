import Digests
import Glibc

extension FileSystem {
  /// Writes a new file and forces it to stable storage under this name.
  ///
  /// The name itself is durable only after ``syncDirectory(_:)``. On failure the file may remain.
  ///
  /// - Throws: ``FileSystemError``; a failed `fsync` is not retried.
  func writeNewFile(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    let descriptor = try open(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    defer { close(descriptor) }
    try writeAll(descriptor, bytes.span.bytes, path: path)
    try sync(descriptor, path: path)
  }

  /// Copies a file to a new one, forces the copy to stable storage and hashes it.
  ///
  /// The name itself is durable only after ``syncDirectory(_:)``. On failure the copy may remain.
  ///
  /// - Complexity: O(bytes); the memory is 512 KiB at most.
  func copyFile(
    _ path: String, to newPath: String
  ) throws(FileSystemError) -> (bytes: Int64, sha256: [UInt8]) {
    let source = try open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
    defer { close(source) }
    let copy = try open(newPath, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    defer { close(copy) }
    let digest = Digest(.sha256)
    var bytes: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try readOnce(source, into: &buffer, path: path)
      if count == 0 { break }
      let piece = Array(buffer[..<count])
      digest.update(piece.span.bytes)
      try writeAll(copy, piece.span.bytes, path: newPath)
      bytes += Int64(count)
    }
    try sync(copy, path: newPath)
    return (bytes, digest.value)
  }

  /// Forces a directory's entries to stable storage.
  func syncDirectory(_ path: String) throws(FileSystemError) {
    let descriptor = try open(path, flags: O_RDONLY | O_DIRECTORY, mode: 0)
    defer { close(descriptor) }
    try sync(descriptor, path: path)
  }

  /// Forces a file that another process may have written to stable storage.
  func syncFile(_ path: String) throws(FileSystemError) {
    let descriptor = try open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
    defer { close(descriptor) }
    try sync(descriptor, path: path)
  }

  /// Makes a directory that is durable in its parent; does nothing when the directory exists.
  ///
  /// An existing directory counts as durable. The parent is therefore opened first, so that a lack
  /// of descriptors cannot come between making the directory and making it durable.
  ///
  /// - Throws: ``FileSystemError``; `ENOTDIR` when another kind of file has the name.
  func makeDurableDirectory(_ path: String, in parent: String) throws(FileSystemError) {
    if let status = try status(path) {
      guard status.kind == .directory else {
        throw FileSystemError(.makeDirectory, path, number: ENOTDIR)
      }
      return
    }
    let descriptor = try open(parent, flags: O_RDONLY | O_DIRECTORY, mode: 0)
    defer { close(descriptor) }
    try makeDirectory(path, mode: 0o750)
    try sync(descriptor, path: parent)
  }

  /// Replaces a file durably through a hidden `.part` file.
  ///
  /// A crash leaves the old file or the new one.
  func replaceFile(_ name: String, in directory: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try placeFile(name, in: directory, bytes)
    try syncDirectory(directory)
  }

  /// Replaces a file as ``replaceFile(_:in:_:)``, but leaves the `fsync` of the directory to the
  /// caller.
  func placeFile(_ name: String, in directory: String, _ bytes: [UInt8]) throws(FileSystemError) {
    let part = directory + "/." + name + ".part"
    if try status(part) != nil { try unlink(part) }
    try writeNewFile(part, bytes)
    try rename(part, to: directory + "/" + name)
  }

  /// Whether a file beside another can be written to stable storage, read back and removed.
  ///
  /// If so, the other file is damaged, and the medium as a whole works.
  func canKeepFile(beside path: String) -> Bool {
    let probe = path + ".probe"
    let bytes = Array("platen".utf8)
    try? unlink(probe)
    do throws(FileSystemError) {
      try writeNewFile(probe, bytes)
      let found = try readFile(probe, limit: bytes.count)
      try unlink(probe)
      return found == bytes
    } catch {
      return false
    }
  }

  /// Reads a file into memory, for which room for `expected` bytes is made at once.
  ///
  /// - Throws: ``FileSystemError``; `EFBIG` when the file is longer than `limit` bytes.
  func readFile(
    _ path: String, limit: Int, expecting expected: Int = 0
  ) throws(FileSystemError) -> [UInt8] {
    let descriptor = try open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
    defer { close(descriptor) }
    var content: [UInt8] = []
    content.reserveCapacity(expected)
    var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16) + 1)
    while true {
      let count = try readOnce(descriptor, into: &buffer, path: path)
      if count == 0 { return content }
      content += buffer[..<count]
      if content.count > limit { throw FileSystemError(.read, path, number: EFBIG) }
    }
  }

  /// Hashes a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - expected: the approximate length of the file, for the size of the buffer.
  ///   - isWanted: whether to go on, asked before each block.
  /// - Throws: ``FileSystemError``; `ECANCELED` when the rest is not wanted.
  /// - Complexity: O(bytes); the memory is 256 KiB at most.
  func hashFile(
    _ path: String, expecting expected: Int64 = 1 << 18, while isWanted: () -> Bool = { true }
  ) throws(FileSystemError) -> (bytes: Int64, sha256: [UInt8]) {
    let descriptor = try open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
    defer { close(descriptor) }
    let digest = Digest(.sha256)
    var bytes: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: Int(max(1 << 12, min(expected + 1, 1 << 18))))
    while true {
      guard isWanted() else { throw FileSystemError(.read, path, number: ECANCELED) }
      let count = try readOnce(descriptor, into: &buffer, path: path)
      if count == 0 { return (bytes, digest.value) }
      digest.update(buffer.span.bytes.extracting(..<count))
      bytes += Int64(count)
    }
  }

  /// Writes all bytes, in as many calls as the kernel needs.
  ///
  /// - Throws: ``FileSystemError``; `EIO` when a call takes nothing.
  func writeAll(
    _ descriptor: Int32, _ bytes: RawSpan, path: String
  ) throws(FileSystemError) {
    var written = 0
    while written < bytes.byteCount {
      do throws(FileSystemError) {
        let rest = bytes.extracting(written..<bytes.byteCount)
        let count = try write(descriptor, rest, path: path)
        if count == 0 { throw FileSystemError(.write, path, number: EIO) }
        written += count
      } catch  where error.number == EINTR {
        continue
      }
    }
  }

  /// Reads once, and again after a signal; returns 0 at the end of the file.
  func readOnce(
    _ descriptor: Int32, into buffer: inout [UInt8], path: String
  ) throws(FileSystemError) -> Int {
    while true {
      do throws(FileSystemError) {
        return try read(descriptor, into: &buffer, path: path)
      } catch  where error.number == EINTR {
        continue
      }
    }
  }
}
