#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of no use but its size: when the disk is full it makes way for the database.
///
/// Without it a full disk stops the commit of receipts, and so the removal of delivered pictures
/// that would free the disk. It is given its blocks with `posix_fallocate`, and made again when
/// there is room beyond the reserve.
struct Ballast {
  let path: String
  let files: any FileSystem
  /// Its length in bytes; 0 for none.
  let byteCount: Int64
  /// What must stay free besides.
  let minimumFreeBytes: Int64
  private(set) var isPresent = false

  init(layout: SpoolLayout, files: any FileSystem, configuration: SpoolConfiguration) {
    path = layout.ballast
    self.files = files
    byteCount = configuration.ballastBytes
    minimumFreeBytes = configuration.minimumFreeBytes
  }

  /// Bytes that captures must leave for it while it is not there: it has made way for receipts, and
  /// a picture that took its room would bring the deadlock back.
  var outstandingBytes: Int64 { isPresent ? 0 : byteCount }

  /// Looks for the file; one of another length is no ballast and is removed.
  mutating func find() throws(SystemError) {
    guard let status = try files.status(path) else { return isPresent = false }
    isPresent = status.kind == .regular && status.size == byteCount && byteCount > 0
    if status.kind == .regular, !isPresent { try files.unlink(path) }
  }

  /// Removes the file, so that the database has room.
  ///
  /// - Returns: whether that has freed anything.
  mutating func release() throws(SystemError) -> Bool {
    guard isPresent else { return false }
    try files.unlink(path)
    isPresent = false
    return true
  }

  /// Makes the file when it is missing and there is room for it.
  ///
  /// What goes wrong is no fault: there is no ballast then, and it is tried again later.
  mutating func makeIfRoom(in root: String) {
    guard !isPresent, byteCount > 0,
      let room = try? files.room(root),
      room.freeBytes - byteCount - Capacity.overheadBytes >= minimumFreeBytes,
      room.freeFiles ?? .max > Capacity.filesNeeded
    else { return }
    do throws(SystemError) {
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
