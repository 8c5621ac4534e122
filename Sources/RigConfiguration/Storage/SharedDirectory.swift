// With optimization, the compiler takes `stat` for this module's function.
import CDispatch
import Devices
import Foundation

/// The care for a directory in which other accounts may write, for example `/etc/platen`.
///
/// Another account can replace any name there by a link to a file that only root may change.
enum SharedDirectory {
  /// Makes a directory unless it exists.
  ///
  /// The owner is set through a descriptor, and only for the directory that this call has made.
  ///
  /// - Parameters:
  ///   - owner: the owner, group and permissions of a new directory, as far as this process may set
  ///     them; `nil` for this process's own and the mode 0700.
  ///   - followsLink: whether an existing link to a directory is accepted.
  /// - Throws: `DeviceError`, code `inputOutput`, also for a link or a file in its place.
  static func make(
    _ path: String, like owner: FileOwner?, followsLink: Bool = false
  ) throws(DeviceError) {
    let isNew = mkdir(path, 0o700) == 0
    guard isNew || errno == EEXIST else { throw failure(path) }
    let links = followsLink && !isNew ? 0 : O_NOFOLLOW
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | links)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard isNew, fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return }
    owner?.give(to: descriptor)
  }

  /// Opens a directory for `openat`, `renameat` and `unlinkat`.
  ///
  /// Root does not follow a link that another account may have made, also not one that appears
  /// after ``refuseLink(_:wasLink:)``.
  ///
  /// - Returns: the descriptor, which the caller closes; -1 and `errno` when it cannot be opened.
  static func descriptor(of path: String) -> Int32 {
    open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (mayBeReplaced(path) ? O_NOFOLLOW : 0))
  }

  /// Refuses a link through which root would write, and which another account may have made.
  ///
  /// - Parameter wasLink: whether the path was a link already when it was resolved.
  /// - Throws: `DeviceError`, code `permissionDenied`.
  static func refuseLink(_ path: String, wasLink: Bool = false) throws(DeviceError) {
    var link = stat()
    let isLink = lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
    guard isLink || wasLink, mayBeReplaced(path) else { return }
    throw DeviceError(
      .permissionDenied, device: path, problem: "is not written by root",
      cause: "it is a link, and others may write in its directory; replace the link by a real "
        + "file or directory")
  }

  /// Returns whether this process is root's, and others may write in the directory of a path.
  private static func mayBeReplaced(_ path: String) -> Bool {
    guard geteuid() == 0 else { return false }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var directory = stat()
    return stat(parent, &directory) == 0 && directory.st_mode & 0o022 != 0
  }

  /// Returns the error of the last system call.
  private static func failure(_ path: String) -> DeviceError {
    DeviceError(
      .inputOutput, device: path, problem: "cannot be made", cause: SystemError.last.description)
  }
}
