import Foundation
import Glibc

/// A file's owner, group and permissions.
package struct FileOwner: Sendable, Hashable {
  var userID: uid_t
  var groupID: gid_t
  /// The lowest nine bits of the file's mode.
  var permissions: mode_t

  /// Reads the owner (`lstat`); `nil` when the file does not exist or cannot be seen.
  package init?(of path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let user = attributes[.ownerAccountID] as? NSNumber,
      let group = attributes[.groupOwnerAccountID] as? NSNumber,
      let permissions = attributes[.posixPermissions] as? NSNumber
    else { return nil }
    userID = user.uint32Value
    groupID = group.uint32Value
    self.permissions = permissions.uint32Value & 0o777
  }

  /// Returns the same owner and group with some of the permissions.
  func with(_ mask: mode_t) -> FileOwner {
    var owner = self
    owner.permissions = permissions & mask
    return owner
  }

  /// Gives an open file this owner; only a privileged process may set the user.
  func give(to descriptor: Int32) {
    if fchown(descriptor, userID, groupID) != 0 { _ = fchown(descriptor, uid_t.max, groupID) }
    _ = fchmod(descriptor, permissions)
  }
}
