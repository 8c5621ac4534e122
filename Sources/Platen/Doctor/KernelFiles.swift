import API
import Foundation
import Glibc

/// The small files by which the kernel and the system say how they are, below a root that tests
/// choose.
///
/// Its calls block; they are for an executor of one's own.
struct KernelFiles: Sendable, Hashable {
  /// What comes before each path; empty for the machine itself.
  var root = ""

  /// The path as it is opened.
  func path(_ path: String) -> String { root + path }

  /// Whether there is something at the path.
  func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

  /// The file's text without the line feeds at its end; `nil` when it cannot be read.
  func read(_ path: String) -> String? {
    guard var bytes = bytes(of: path) else { return nil }
    while bytes.last == 10 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The file's first MiB; `nil` when it cannot be read.
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

  /// The names in a directory, in order; none when it cannot be read.
  func names(in path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: self.path(path))) ?? []
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Owner and permissions of what is at the path; `nil` when it cannot be seen.
  func owner(of path: String) -> FileOwner? { FileOwner(of: self.path(path)) }
}

/// The user that the service runs as, and what it may open.
struct ServiceUser: Sendable, Hashable {
  var name: String
  var userID: uid_t
  var groupIDs: Set<gid_t>

  /// Whether the user may read and write something with an owner and permissions.
  func mayUse(_ owner: FileOwner) -> Bool {
    if userID == 0 { return true }
    let wanted: mode_t = 0o6
    if owner.userID == userID { return owner.permissions >> 6 & wanted == wanted }
    if groupIDs.contains(owner.groupID) { return owner.permissions >> 3 & wanted == wanted }
    return owner.permissions & wanted == wanted
  }

  /// Whether the user may give what it owns to a group (chown(2)).
  func mayGive(to group: gid_t) -> Bool { userID == 0 || groupIDs.contains(group) }

  /// The user of this process.
  static var current: ServiceUser {
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return ServiceUser(
      name: AccountNames.userName(getuid()) ?? "\(getuid())", userID: getuid(),
      groupIDs: Set(groups.prefix(max(0, Int(count)))).union([getgid()]))
  }

  /// The unit's user; that of this process where there is no such user.
  static var ofUnit: ServiceUser {
    account("platen") ?? .current
  }

  /// A user with all groups that the group database has for it (`getgrouplist`), which a unit's
  /// user has, too; `nil` when there is no such user.
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
