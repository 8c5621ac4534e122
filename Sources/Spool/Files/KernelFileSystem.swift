import CFileCalls
import Devices
import Glibc

/// The kernel's own file system calls.
///
/// Every descriptor is opened with `O_CLOEXEC` and without following a symbolic link.
struct KernelFileSystem: FileSystem {
  func open(_ path: String, flags: Int32, mode: UInt32) throws(FileSystemError) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw FileSystemError(.open, path) }
    }
  }

  func write(_ descriptor: Int32, _ bytes: RawSpan, path: String) throws(FileSystemError) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { throw FileSystemError(.write, path) }
    return count
  }

  func read(
    _ descriptor: Int32, into buffer: inout [UInt8], path: String
  ) throws(FileSystemError) -> Int {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { throw FileSystemError(.read, path) }
    return count
  }

  func seek(_ descriptor: Int32, to offset: Int64, path: String) throws(FileSystemError) {
    if lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileSystemError(.read, path) }
  }

  func truncate(_ descriptor: Int32, to bytes: Int64, path: String) throws(FileSystemError) {
    while ftruncate(descriptor, off_t(bytes)) != 0 {
      if errno != EINTR { throw FileSystemError(.truncate, path) }
    }
  }

  func sync(_ descriptor: Int32, path: String) throws(FileSystemError) {
    if fsync(descriptor) != 0 { throw FileSystemError(.sync, path) }
  }

  func dropPages(_ descriptor: Int32, path: String) throws(FileSystemError) {
    let number = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    if number != 0 { throw FileSystemError(.dropPages, path, number: number) }
  }

  func syncFileSystem(_ directory: String) throws(FileSystemError) {
    let descriptor = try open(directory, flags: O_RDONLY | O_DIRECTORY, mode: 0)
    defer { close(descriptor) }
    if CFileCalls_syncFileSystem(descriptor) != 0 { throw FileSystemError(.sync, directory) }
  }

  func allocate(_ descriptor: Int32, bytes: Int64, path: String) throws(FileSystemError) {
    while true {
      let number = posix_fallocate(descriptor, 0, off_t(bytes))
      if number == 0 { return }
      if number != EINTR { throw FileSystemError(.allocate, path, number: number) }
    }
  }

  func lock(_ descriptor: Int32, path: String) throws(FileSystemError) {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { throw FileSystemError(.lock, path) }
  }

  func unlock(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
  }

  func close(_ descriptor: Int32) {
    // Data that must last has been forced out by fsync. Linux frees the descriptor in any case.
    _ = Glibc.close(descriptor)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    if Glibc.rename(path, newPath) != 0 { throw FileSystemError(.rename, path) }
  }

  func link(_ path: String, to newPath: String) throws(FileSystemError) {
    if Glibc.link(path, newPath) != 0 { throw FileSystemError(.link, path) }
  }

  func unlink(_ path: String) throws(FileSystemError) {
    if Glibc.unlink(path) != 0 { throw FileSystemError(.unlink, path) }
  }

  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    if mkdir(path, mode) != 0 { throw FileSystemError(.makeDirectory, path) }
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) != 0 {
      if errno == ENOENT { return nil }
      throw FileSystemError(.status, path)
    }
    return Self.translate(status)
  }

  func status(of descriptor: Int32, path: String) throws(FileSystemError) -> FileStatus {
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw FileSystemError(.status, path) }
    return Self.translate(status)
  }

  private static func translate(_ status: stat) -> FileStatus {
    let kind: FileStatus.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    let modified = status.st_mtim
    return FileStatus(
      kind: kind, size: Int64(status.st_size),
      modifiedNanoseconds: Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec),
      identity: FileStatus.Identity(
        device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    do throws(SystemError) {
      // A name that is no UTF-8 is repaired, and the result is none of the spool's names.
      return try SystemCalls.names(in: path)
    } catch {
      throw FileSystemError(.list, path, number: error.number)
    }
  }

  func room(_ path: String) throws(FileSystemError) -> FileSystemRoom {
    var room = statvfs()
    while statvfs(path, &room) != 0 {
      if errno != EINTR { throw FileSystemError(.room, path) }
    }
    // The product saturates, because a file system of unknown size answers with all ones.
    let (bytes, overflow) = UInt64(room.f_bavail).multipliedReportingOverflow(
      by: UInt64(room.f_frsize))
    return FileSystemRoom(
      freeBytes: overflow ? .max : Int64(clamping: bytes),
      freeFiles: room.f_files == 0 ? nil : Int64(clamping: room.f_favail))
  }

  func willCommit(_ commit: Commit) throws(FileSystemError) {}

  func willPrune() throws(FileSystemError) {}

  func didCommit(_ commit: Commit) {}
}
