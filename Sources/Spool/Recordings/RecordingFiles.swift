import Devices
import Glibc
import Synchronization

/// A recording that ends with a whole fragment, on stable storage.
struct SettledRecording: Hashable, Sendable {
  /// The file as it was when it had been read.
  var status: FileStatus
  var sha256: [UInt8]
}

/// The actor that reads whole recordings, so that the spool can serve other calls meanwhile.
actor RecordingFiles {
  private let executor = DispatchQueueExecutor(label: "platen.spool.recordings")
  private nonisolated let isStopped = Atomic(false)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Ends the reading under way and later ones with an error; does not wait.
  nonisolated func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Forces a recording to stable storage, cuts it off after its last whole fragment and hashes it.
  ///
  /// Nothing may write to the file any more. A failed `fsync` is not retried. After an earlier one,
  /// also of another process, the page cache holds what the disk does not. The file is therefore
  /// read from the disk.
  ///
  /// - Returns: the recording; `nil` for a file without a whole fragment, which stays as it is.
  /// - Complexity: O(bytes); the memory is 256 KiB at most.
  func settle(
    _ path: String, files: any FileSystem
  ) -> Result<SettledRecording?, SpoolError> {
    do throws(FileSystemError) {
      let descriptor = try files.open(path, flags: O_RDWR | O_NONBLOCK, mode: 0)
      defer { files.close(descriptor) }
      let found = try files.status(of: descriptor, path: path)
      guard found.kind == .regular, found.size <= Sidecar.maximumImageBytes else {
        return .failure(
          SpoolError(
            .invalid, path, "is no recording",
            cause: "a regular file of at most \(Sidecar.maximumImageBytes) bytes is expected"))
      }
      try files.sync(descriptor, path: path)
      try files.dropPages(descriptor, path: path)
      let playable = try MovieExtent(byteCount: found.size) { (offset) throws(FileSystemError) in
        try files.seek(descriptor, to: offset, path: path)
        var head = [UInt8](repeating: 0, count: 16)
        let count = try files.readOnce(descriptor, into: &head, path: path)
        return Array(head[..<count])
      }
      guard let extent = playable else { return .success(nil) }
      try cut(descriptor, to: extent, from: found.size, path: path, files)
      let settled = try files.status(of: descriptor, path: path)
      let hashed = try files.hashFile(path, expecting: settled.size) {
        !isStopped.load(ordering: .relaxed)
      }
      guard hashed.bytes == extent.byteCount,
        try files.status(of: descriptor, path: path) == settled
      else {
        return .failure(SpoolError(.invalid, path, "has changed while it was read"))
      }
      return .success(SettledRecording(status: settled, sha256: hashed.sha256))
    } catch {
      switch error.call {
      case .open, .read, .status, .dropPages: return .failure(SpoolError(reading: error))
      default: return .failure(SpoolError(writing: error))
      }
    }
  }

  private func cut(
    _ descriptor: Int32, to extent: MovieExtent, from byteCount: Int64, path: String,
    _ files: any FileSystem
  ) throws(FileSystemError) {
    guard extent.patch != nil || extent.byteCount < byteCount else { return }
    if let patch = extent.patch {
      try files.seek(descriptor, to: patch.offset, path: path)
      try files.writeAll(descriptor, patch.bytes.span.bytes, path: path)
    }
    if extent.byteCount < byteCount {
      try files.truncate(descriptor, to: extent.byteCount, path: path)
    }
    try files.sync(descriptor, path: path)
  }
}
