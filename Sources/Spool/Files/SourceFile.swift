import Digests
import Glibc

/// A file outside the spool that is to be stored, open from the first check to the last.
///
/// A fault of this file refuses the file, and does not end the storing of others.
final class SourceFile: Sendable {
  /// The maximum number of bytes in memory at a time.
  static let pieceBytes: Int64 = 1 << 20

  let path: String
  private let files: any FileSystem
  private let descriptor: Int32
  /// The file as it was when it was opened.
  private let status: FileStatus

  /// The file's length in bytes.
  var byteCount: Int64 { status.size }
  /// The number of the file system.
  var device: UInt64 { status.identity.device }

  /// Opens a file.
  ///
  /// - Throws: ``SpoolError``, which quotes the path: `invalid` for another kind of file, an empty
  ///   file, a file of the spool, and a path that is not plain; `shortOfResources`.
  init(_ path: String, outside layout: SpoolLayout, files: any FileSystem) throws(SpoolError) {
    try Self.checkPlace(path, outside: layout)
    guard let named = try Self.read({ () throws(FileSystemError) in try files.status(path) }) else {
      throw SpoolError(.invalid, path, "does not exist")
    }
    // The kind is checked before the file is opened, because opening alone may change a device.
    guard named.kind == .regular else {
      throw SpoolError(
        .invalid, path, "is no regular file",
        cause: "symbolic links, directories and devices are not stored")
    }
    guard named.size > 0 else { throw SpoolError(.invalid, path, "is empty") }
    guard named.size <= Sidecar.maximumImageBytes else {
      throw SpoolError(
        .invalid, path, "is too long",
        cause: "\(named.size) bytes, \(Sidecar.maximumImageBytes) can be stored")
    }
    let descriptor = try Self.read { () throws(FileSystemError) in
      try files.open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
    }
    guard (try? files.status(of: descriptor, path: path)) == named else {
      files.close(descriptor)
      throw Self.changed(path)
    }
    self.path = path
    self.files = files
    self.descriptor = descriptor
    status = named
  }

  deinit { files.close(descriptor) }

  /// Refuses relative paths, paths with `.` or `..`, and files of the spool.
  private static func checkPlace(
    _ path: String, outside layout: SpoolLayout
  ) throws(SpoolError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].isEmpty, !path.utf8.contains(0),
      parts.dropFirst().allSatisfy({ !["", ".", ".."].contains($0) })
    else { throw SpoolError(.invalid, path, "is no plain absolute path of a file") }
    guard !parts.dropFirst().starts(with: layout.root.split(separator: "/")) else {
      throw SpoolError(.invalid, path, "lies in the spool's own directory")
    }
  }

  /// Reads the whole file once, in pieces, and hashes it.
  ///
  /// - Parameter take: a closure that gets each piece.
  /// - Returns: the SHA-256.
  /// - Throws: ``SpoolError``: `unreadable`; `invalid` when the length is no longer the same; the
  ///   errors of `take`.
  /// - Complexity: O(bytes); the memory is ``pieceBytes``, and twice as much for the last piece.
  func hash(
    _ take: (_ piece: [UInt8]) throws(SpoolError) -> Void = { _ in }
  ) throws(SpoolError) -> [UInt8] {
    let digest = Digest(.sha256)
    var taken: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: Int(min(byteCount + 1, Self.pieceBytes)))
    while true {
      let count = try Self.read { () throws(FileSystemError) in
        try files.readOnce(descriptor, into: &buffer, path: path)
      }
      if count == 0 { break }
      taken += Int64(count)
      guard taken <= byteCount else { throw Self.changed(path) }
      digest.update(buffer.span.bytes.extracting(..<count))
      try take(count == buffer.count ? buffer : Array(buffer[..<count]))
    }
    guard taken == byteCount else { throw Self.changed(path) }
    return digest.value
  }

  /// Forces the file's data to stable storage.
  ///
  /// - Throws: ``SpoolError``: `failed`, because the file lies on the spool's own medium.
  func sync() throws(SpoolError) {
    do throws(FileSystemError) {
      try files.sync(descriptor, path: path)
    } catch {
      throw SpoolError(writing: error)
    }
  }

  /// Checks that the file is as it was when it was opened, and that a name is still its name.
  ///
  /// - Throws: ``SpoolError``: `invalid`, `shortOfResources`.
  func requireUnchanged(at name: String) throws(SpoolError) {
    let (now, named) = try Self.read { () throws(FileSystemError) in
      (try files.status(of: descriptor, path: path), try files.status(name))
    }
    guard now == status, named == status else { throw Self.changed(path) }
  }

  /// Opens the file anew, to read it from its beginning.
  ///
  /// - Throws: ``SpoolError`` as ``init(_:outside:files:)``; `invalid` for another file.
  func reopened(outside layout: SpoolLayout) throws(SpoolError) -> SourceFile {
    let again = try SourceFile(path, outside: layout, files: files)
    guard again.status == status else { throw Self.changed(path) }
    return again
  }

  /// Removes the file, whose item is in the spool; another file that got the name stays.
  ///
  /// The removal need not be durable. After a crash, both item and file may be there.
  func remove() throws(FileSystemError) {
    guard try files.status(path)?.identity == status.identity else { return }
    try files.unlink(path)
  }

  private static func changed(_ path: String) -> SpoolError {
    SpoolError(.invalid, path, "has changed while it was read")
  }

  private static func read<Value>(
    _ body: () throws(FileSystemError) -> Value
  ) throws(SpoolError) -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw SpoolError(reading: error)
    }
  }
}
