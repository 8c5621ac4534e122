package import Devices
import Glibc

/// A small file that is replaced as a whole, so that a power cut leaves the old or the new one.
///
/// The calls block on the disk and belong on a separate executor.
package struct DurableFile: Sendable {
  /// The directory, which must exist, without a slash at the end.
  let directory: String
  /// The file's name in the directory.
  let name: String

  /// The file's path.
  package var path: String { directory + "/" + name }

  /// Takes a file in a directory; neither has to exist yet.
  package init(directory: String, name: String) {
    self.directory = directory
    self.name = name
  }

  /// Reads the whole file.
  ///
  /// - Parameter followsLink: whether a link in the file's place is followed. Another account may
  ///   have put it there, for root to read what that account may not.
  /// - Returns: the bytes; `nil` when the file does not exist.
  /// - Throws: `DeviceError`, code `inputOutput`, also for a directory or a file with more than
  ///   `limit` bytes; `permissionDenied` when this account may not open the file.
  package func read(
    limit: Int = 1 << 20, followsLink: Bool = true
  ) throws(DeviceError) -> [UInt8]? {
    let descriptor = open(
      path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    if descriptor < 0 {
      let error = SystemError.last
      if error.number == ENOENT { return nil }
      throw DeviceError(
        [EACCES, EPERM].contains(error.number) ? .permissionDenied : .inputOutput, device: path,
        problem: "cannot be opened", cause: error.description)
    }
    defer { close(descriptor) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemCalls.read(descriptor, limit: limit)
    } catch {
      throw failure("cannot be read", error)
    }
    guard bytes.count <= limit else {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be read",
        cause: "it has more than \(limit) bytes")
    }
    return bytes
  }

  /// Replaces the file; on return the new file is on stable storage.
  ///
  /// The new file is written beside the old one, synchronized (`fsync`) and renamed; then the
  /// directory is synchronized.
  ///
  /// - Parameter model: a file whose owner, group and permissions the new file gets, as far as this
  ///   process may set them; `nil` for this process's own.
  /// - Throws: `DeviceError`, code `inputOutput`. The old file still exists, unless only the
  ///   directory's `fsync` failed. A failed `fsync` is not retried.
  package func replace(_ bytes: [UInt8], like model: String? = nil) throws(DeviceError) {
    try replace(bytes, owner: model.flatMap { FileOwner(of: $0) })
  }

  /// Replaces the file likewise.
  ///
  /// - Parameter owner: the owner, group and permissions of the new file, as far as this process may
  ///   set them; `nil` for this process's own.
  /// - Throws: as ``replace(_:like:)``.
  func replace(_ bytes: [UInt8], owner: FileOwner?) throws(DeviceError) {
    let problem = "cannot be written"
    try inDirectory(problem) { (directory: Int32) throws(DeviceError) in
      let part = "." + name + ".part"
      if unlinkat(directory, part, 0) != 0, errno != ENOENT { throw failure(problem) }
      let descriptor = openat(directory, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
      guard descriptor >= 0 else { throw failure(problem) }
      owner?.give(to: descriptor)
      do throws(SystemError) {
        try SystemCalls.write(bytes[...], to: descriptor)
        guard fsync(descriptor) == 0 else { throw SystemError.last }
      } catch {
        close(descriptor)
        unlinkat(directory, part, 0)
        throw failure(problem, error)
      }
      close(descriptor)
      guard renameat(directory, part, directory, name) == 0 else {
        let failure = failure(problem)
        unlinkat(directory, part, 0)
        throw failure
      }
    }
  }

  /// Renames the file durably, in place of an existing file with the new name.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`.
  package func rename(to other: String) throws(DeviceError) {
    let problem = "cannot be put aside"
    try inDirectory(problem) { (directory: Int32) throws(DeviceError) in
      guard renameat(directory, name, directory, other) == 0 else { throw failure(problem) }
    }
  }

  /// Removes the file durably; a missing file is no error.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`.
  func remove() throws(DeviceError) {
    let problem = "cannot be removed"
    try inDirectory(problem) { (directory: Int32) throws(DeviceError) in
      guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else { throw failure(problem) }
    }
  }

  /// Makes the directory's entries durable (`fsync`).
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, or `outOfMemory` when memory or descriptors are
  ///   short.
  package func synchronizeDirectory() throws(DeviceError) {
    try inDirectory("cannot be written") { (_: Int32) throws(DeviceError) in }
  }

  /// Changes entries of the opened directory, and makes the changes durable.
  private func inDirectory(
    _ problem: String, _ change: (Int32) throws(DeviceError) -> Void
  ) throws(DeviceError) {
    let descriptor = SharedDirectory.descriptor(of: directory)
    guard descriptor >= 0 else { throw failure(problem) }
    defer { close(descriptor) }
    try change(descriptor)
    guard fsync(descriptor) == 0 else { throw failure(problem) }
  }

  /// Returns the error of a system call, by default the last.
  private func failure(_ problem: String, _ error: SystemError = .last) -> DeviceError {
    // A lack of resources of this process or the machine does not affect the file.
    DeviceError(
      error.isResourceShortage ? .outOfMemory : .inputOutput, device: path, problem: problem,
      cause: error.description)
  }
}
