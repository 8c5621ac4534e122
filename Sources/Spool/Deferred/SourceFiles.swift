import Devices
import Digests
import Glibc

/// A source that has its place in the spool, and no item yet.
package struct PendingSource: Sendable, Hashable {
  /// The path until the source gets its item.
  let path: String
  /// The length of the file in bytes.
  package let byteCount: Int64
}

/// The actor that writes or reads sources, so that the spool can serve other calls meanwhile.
///
/// A source is its content and then the SHA-256 of the content.
actor SourceFiles {
  /// The length of the digest behind the content.
  static let digestBytes = 32

  private let executor = DispatchQueueExecutor(label: "platen.spool.deferred")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Writes a source to stable storage; a failed `fsync` is not retried.
  ///
  /// - Parameter now: the clock, in nanoseconds.
  /// - Returns: the time of the write, without the wait for other writes.
  func write(
    _ header: [UInt8], _ frames: [FrameLease], to source: PendingSource, files: any FileSystem,
    now: @escaping @Sendable () -> Int64
  ) -> Result<Duration, SpoolError> {
    do {
      let path = source.path
      let began = now()
      let descriptor = try files.open(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
      defer { files.close(descriptor) }
      let digest = Digest(.sha256)
      func write(_ piece: UnsafeRawBufferPointer) throws {
        digest.update(piece.bytes)
        try files.writeAll(descriptor, piece.bytes, path: path)
      }
      try header.withUnsafeBytes(write)
      for frame in frames { try frame.withBytes(write) }
      try files.writeAll(descriptor, digest.value.span.bytes, path: path)
      try files.sync(descriptor, path: path)
      return .success(.nanoseconds(now() - began))
    } catch let error as FileSystemError {
      return .failure(SpoolError(writing: error))
    } catch {
      return .failure(
        SpoolError(.invalid, source.path, "has unreadable frames", cause: "\(error)"))
    }
  }

  /// Reads the content of a source; `unreadable` for one that does not have its digest.
  func read(
    _ path: String, byteCount: Int64, files: any FileSystem
  ) -> Result<[UInt8], SpoolError> {
    do throws(FileSystemError) {
      let length = Int(byteCount)
      var content = try files.readFile(path, limit: length, expecting: length)
      let end = content.count - Self.digestBytes
      guard content.count == length, end > 0,
        Digest.value(.sha256, of: content[..<end]) == Array(content[end...])
      else { return .failure(SpoolError(.unreadable, path, "is damaged")) }
      content.removeLast(Self.digestBytes)
      return .success(content)
    } catch {
      return .failure(SpoolError(reading: error))
    }
  }
}
