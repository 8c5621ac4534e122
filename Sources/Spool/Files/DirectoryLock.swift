import Glibc

/// The lock that lets one spool at a time use a directory (`flock` on the file `lock`).
///
/// The kernel drops the lock when the process ends, in any way. SQLite's own exclusive lock guards
/// the database. This lock guards the files and is taken before anything is read.
struct DirectoryLock: ~Copyable {
  private let descriptor: Int32
  private let files: any FileSystem

  /// Takes the lock.
  ///
  /// - Throws: ``FileSystemError``; `EWOULDBLOCK` when another spool holds the lock.
  init(directory: String, files: any FileSystem) throws(FileSystemError) {
    let path = directory + "/lock"
    let descriptor = try files.open(path, flags: O_RDWR | O_CREAT, mode: 0o640)
    do throws(FileSystemError) {
      try files.lock(descriptor, path: path)
    } catch {
      files.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.files = files
  }

  deinit {
    // Closing alone would keep the lock while a newly forked child process holds a copy.
    files.unlock(descriptor)
    files.close(descriptor)
  }
}
