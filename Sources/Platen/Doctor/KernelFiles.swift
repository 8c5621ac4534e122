import API
import Foundation
import Glibc

/// The small status files of the kernel and the system, below a root that tests choose.
///
/// The calls block and belong on a separate executor.
struct KernelFiles: Sendable, Hashable {
  /// The prefix of each path; empty for the machine itself.
  var root = ""

  /// Returns the path to open.
  func path(_ path: String) -> String { root + path }

  /// Returns whether the path exists.
  func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

  /// Returns the file's text without trailing line feeds; `nil` when it cannot be read.
  func read(_ path: String) -> String? {
    guard var bytes = bytes(of: path) else { return nil }
    while bytes.last == 10 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the file's first MiB; `nil` when it cannot be read.
  func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(self.path(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while bytes.count < 1 << 20 {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Returns the names in a directory, in order; none when it cannot be read.
  func names(in path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: self.path(path))) ?? []
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Returns owner and permissions of a path; `nil` when they cannot be read.
  func owner(of path: String) -> FileOwner? { FileOwner(of: self.path(path)) }
}

/// The user that the service runs as, and its rights.
struct ServiceUser: Sendable, Hashable {
  var name: String
  var userID: uid_t
  var groupIDs: Set<gid_t>

  /// Returns whether the user may read and write a file with an owner and permissions.
  func mayUse(_ owner: FileOwner) -> Bool {
    if userID == 0 { return true }
    let wanted: mode_t = 0o6
    if owner.userID == userID { return owner.permissions >> 6 & wanted == wanted }
    if groupIDs.contains(owner.groupID) { return owner.permissions >> 3 & wanted == wanted }
    return owner.permissions & wanted == wanted
  }

  /// Returns whether the user may give its own files to a group (chown(2)).
  func mayGive(to group: gid_t) -> Bool { userID == 0 || groupIDs.contains(group) }

  /// The user of this process.
  static var current: ServiceUser {
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return ServiceUser(
      name: AccountNames.userName(getuid()) ?? "\(getuid())", userID: getuid(),
      groupIDs: Set(groups.prefix(max(0, Int(count)))).union([getgid()]))
  }

  /// The unit's user; the user of this process if the unit's user does not exist.
  static var ofUnit: ServiceUser {
    account("platen") ?? .current
  }

  /// Returns a user with all its groups in the group database; `nil` for an unknown user.
  ///
  /// A unit's user has the same groups (`getgrouplist`).
  static func account(_ name: String) -> ServiceUser? {
    guard let (userID, groupID) = try? AccountNames.user(named: name) else { return nil }
    var groups = [gid_t](repeating: 0, count: 256)
    var count = Int32(groups.count)
    if getgrouplist(name, groupID, &groups, &count) < 0 {
      groups = [gid_t](repeating: 0, count: Int(max(0, count)))
      _ = getgrouplist(name, groupID, &groups, &count)
    }
    let found = groups.prefix(Int(max(0, count)))
    return ServiceUser(name: name, userID: userID, groupIDs: Set(found).union([groupID]))
  }
}
