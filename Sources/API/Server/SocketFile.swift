import Devices
import Foundation

/// The file of a Unix socket, with its cleanup and its permissions.
///
/// The few calls return at once, so they run on the caller's executor.
struct SocketFile {
  let path: String

  /// Checks the path and removes the socket that a killed service left there.
  ///
  /// A file is removed only when it is a socket and a connection to it is refused.
  ///
  /// - Throws: ``SocketError``.
  func makeRoom() throws(SocketError) {
    guard !path.isEmpty, path.utf8.count <= UnixAddress.maximumPathBytes, !path.utf8.contains(0)
    else {
      throw SocketError(
        .badPath, path: path,
        problem: "must have a path of 1 to \(UnixAddress.maximumPathBytes) bytes")
    }
    guard let kind = try kindOfFile() else { return try checkDirectory() }
    guard kind == .typeSocket else {
      throw SocketError(
        .notASocket, path: path,
        problem: "is a file of another kind; move it away or configure another path")
    }
    switch SocketProbe.attempt(path) {
    case nil, EAGAIN:
      throw SocketError(
        .inUse, path: path, problem: "is in use: another service answers on it; stop that first")
    case ECONNREFUSED:
      guard unlink(path) == 0 || errno == ENOENT else {
        throw SocketError(
          .system, path: path, problem: "is stale and cannot be removed", errno: errno)
      }
    case ENOENT:
      return
    case let number?:
      throw SocketError(
        .system, path: path, problem: "exists and cannot be tried out", errno: number)
    }
  }

  /// Gives the socket its permissions after the bind.
  ///
  /// Until then the permissions are those of the process's umask. They let in the owner at most, or
  /// with umask 0 every account that the directory lets in.
  ///
  /// - Throws: ``SocketError``.
  func setPermissions(_ mode: UInt32) throws(SocketError) {
    guard chmod(path, mode_t(mode & 0o777)) == 0 else {
      throw SocketError(.system, path: path, problem: "cannot get its permissions", errno: errno)
    }
  }

  /// Gives the socket to a group.
  ///
  /// - Throws: ``SocketError``.
  func give(to group: String, number: gid_t) throws(SocketError) {
    guard chown(path, uid_t.max, number) == 0 else {
      let isOutside = errno == EPERM
      throw SocketError(
        .system, path: path,
        problem: "cannot be given to the group \"\(group)\""
          + (isOutside ? "; make the service's user a member of it and restart the service" : ""),
        errno: errno)
    }
  }

  private func checkDirectory() throws(SocketError) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
      isDirectory.boolValue
    else {
      throw SocketError(
        .directoryMissing, path: path, problem: "needs the directory \"\(directory)\"; create it")
    }
  }

  /// Returns the kind of the file at the path (`lstat`); `nil` when there is none.
  private func kindOfFile() throws(SocketError) -> FileAttributeType? {
    do {
      return try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    } catch let error as CocoaError
      where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
    {
      return nil
    } catch {
      throw SocketError(
        .system, path: path, problem: "cannot be looked at", cause: error.localizedDescription)
    }
  }
}
