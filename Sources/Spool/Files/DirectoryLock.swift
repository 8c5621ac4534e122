#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lock that lets one spool at a time use a directory (`flock` on the file `lock`).
///
/// The kernel drops it when the process ends, however it ends. SQLite's own exclusive lock guards
/// the database; this one guards the files and is held before anything is looked at.
struct DirectoryLock: ~Copyable {
  private let descriptor: Int32
  private let files: any FileSystem

  /// Takes the lock.
  ///
  /// - Throws: ``SystemError``; `EWOULDBLOCK` when somebody else holds it.
  init(directory: String, files: any FileSystem) throws(SystemError) {
    let path = directory + "/lock"
    let descriptor = try files.open(path, flags: O_RDWR | O_CREAT, mode: 0o640)
    do throws(SystemError) {
      try files.lock(descriptor, path: path)
    } catch {
      files.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.files = files
  }

  deinit {
    // Closing would not do while a child process that has just been forked holds a copy.
    files.unlock(descriptor)
    files.close(descriptor)
  }
}
