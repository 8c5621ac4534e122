import Glibc

/// A file that only takes room: on a full disk it is removed to make room for the database.
///
/// Without the file, a full disk stops the commit of receipts. Delivered pictures then stay,
/// although their removal would free the disk. `posix_fallocate` gives the file its blocks. The
/// file is made again when there is room beyond the reserve.
struct Ballast {
  let path: String
  let files: any FileSystem
  /// The file's length in bytes; 0 for no file.
  let byteCount: Int64
  /// The bytes that must stay free besides the file.
  let minimumFreeBytes: Int64
  private(set) var isPresent = false

  init(layout: SpoolLayout, files: any FileSystem, configuration: SpoolConfiguration) {
    path = layout.ballast
    self.files = files
    byteCount = configuration.ballastBytes
    minimumFreeBytes = configuration.minimumFreeBytes
  }

  /// The bytes that captures must leave free for a missing ballast file; 0 while the file exists.
  ///
  /// The file was removed to make room for receipts. A picture in its room would bring the deadlock
  /// back.
  var outstandingBytes: Int64 { isPresent ? 0 : byteCount }

  /// Looks for the file, and removes a file of another length.
  mutating func find() throws(FileSystemError) {
    guard let status = try files.status(path) else { return isPresent = false }
    isPresent = status.kind == .regular && status.size == byteCount && byteCount > 0
    if status.kind == .regular, !isPresent { try files.unlink(path) }
  }

  /// Removes the file, so that the database has room.
  ///
  /// - Returns: whether the removal has freed anything.
  mutating func release() throws(FileSystemError) -> Bool {
    guard isPresent else { return false }
    try files.unlink(path)
    isPresent = false
    return true
  }

  /// Makes the file when it is missing and there is room for it.
  ///
  /// A failure is no fault. The file is then missing, and a later call retries.
  mutating func makeIfRoom(in root: String) {
    guard !isPresent, byteCount > 0,
      let room = try? files.room(root),
      room.freeBytes - byteCount - Capacity.overheadBytes >= minimumFreeBytes,
      room.freeFiles ?? .max > Capacity.filesNeeded
    else { return }
    do throws(FileSystemError) {
      guard try files.status(path) == nil else { return }
      let descriptor = try files.open(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
      defer { files.close(descriptor) }
      try files.allocate(descriptor, bytes: byteCount, path: path)
      isPresent = true
    } catch {
      if (try? files.status(path)?.kind) == .regular { try? files.unlink(path) }
    }
  }
}
