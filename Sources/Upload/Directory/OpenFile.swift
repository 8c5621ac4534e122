import CFileCalls
import Devices
import Glibc

/// An open file or directory, closed at the end of its life; every call blocks.
///
/// An entry is named by one path component relative to an open directory. Symbolic links are never
/// followed (`openat` with `O_NOFOLLOW`), so no file on a drive leads outside of the drive.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  /// The path for messages.
  let path: String

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens a directory by its absolute path, also over symbolic links, as the path is our own.
  static func directory(_ path: String) throws(DeliveryFailure) -> OpenFile {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("open", path).deliveryFailure }
    return OpenFile(descriptor, path)
  }

  /// Opens an item's file by its path; a symbolic link is refused.
  static func source(_ path: String) throws(FileFailure) -> OpenFile {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure("open", path) }
    return OpenFile(descriptor, path)
  }

  /// Opens an entry of this directory.
  func open(_ name: String, _ flags: Int32, mode: mode_t = 0o644) throws(FileFailure) -> OpenFile {
    let path = "\(path)/\(name)"
    let opened = openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
    guard opened >= 0 else { throw FileFailure("open", path) }
    return OpenFile(opened, path)
  }

  /// Opens a directory in this one, and makes the directory if it is missing.
  func subdirectory(_ name: String) throws(FileFailure) -> OpenFile {
    do {
      return try open(name, O_RDONLY | O_DIRECTORY)
    } catch {
      guard error.number == ENOENT else { throw error }
    }
    guard mkdirat(descriptor, name, 0o755) == 0 || errno == EEXIST else {
      throw FileFailure("make", "\(path)/\(name)")
    }
    try sync()
    return try open(name, O_RDONLY | O_DIRECTORY)
  }

  /// Returns the length in bytes; `nil` unless this is a regular file.
  func byteCount() throws(FileFailure) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("examine", path) }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  /// Returns the number of bytes that can still be written to the file system.
  func freeBytes() throws(FileFailure) -> Int64 {
    var room = statvfs()
    guard fstatvfs(descriptor, &room) == 0 else { throw FileFailure("measure", path) }
    let (bytes, overflow) = UInt64(room.f_bavail).multipliedReportingOverflow(
      by: UInt64(room.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Reads from a position, at most `limit` bytes; returns the number of bytes, 0 at the end.
  func read(
    into buffer: inout [UInt8], at offset: Int64, limit: Int = .max
  ) throws(FileFailure) -> Int {
    let count = buffer.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, min($0.count, limit), off_t(offset))
    }
    guard count >= 0 else { throw FileFailure("read", path) }
    return count
  }

  /// Writes bytes where the last write ended.
  func writeAll(_ bytes: ArraySlice<UInt8>) throws(FileFailure) {
    do throws(SystemError) {
      try SystemCalls.write(bytes, to: descriptor)
    } catch {
      throw FileFailure("write", path, number: error.number)
    }
  }

  /// Shortens the file to a length.
  func truncate(to byteCount: Int64) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw FileFailure("cut off", path) }
  }

  /// Forces the file to the medium; after a failure its content is unknown.
  func sync() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure("force to the medium", path) }
  }

  /// Asks the kernel to forget its copy of the file, so that the next read comes from the medium.
  func forgetCached() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  /// Removes an entry of this directory; a missing entry is no error.
  func remove(_ name: String) throws(FileFailure) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw FileFailure("remove", "\(path)/\(name)")
    }
  }

  /// Renames an entry of this directory if the new name is free; returns whether it was free.
  ///
  /// `renameat2` renames in one step. On file systems without it (FAT over FUSE, old NFS) a second
  /// link is made and the first link is removed. Without links the new name is looked up before the
  /// rename, which is safe only while nothing else writes there.
  func rename(_ name: String, to newName: String) throws(FileFailure) -> Bool {
    if CFileCalls_renameWithoutReplacing(descriptor, name, newName) == 0 { return true }
    if errno == EEXIST { return false }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
      throw FileFailure("rename", "\(path)/\(name)")
    }
    if linkat(descriptor, name, descriptor, newName, 0) == 0 {
      try remove(name)
      return true
    }
    if errno == EEXIST { return false }
    guard [EPERM, EINVAL, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) else {
      throw FileFailure("link", "\(path)/\(name)")
    }
    var status = stat()
    if fstatat(descriptor, newName, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
    guard errno == ENOENT else { throw FileFailure("examine", "\(path)/\(newName)") }
    guard renameat(descriptor, name, descriptor, newName) == 0 else {
      throw FileFailure("rename", "\(path)/\(name)")
    }
    return true
  }
}
