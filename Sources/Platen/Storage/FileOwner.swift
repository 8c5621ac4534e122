import Foundation
import Glibc

/// Whose a file is, and who may do what with it.
struct FileOwner: Sendable, Hashable {
  var userID: uid_t
  var groupID: gid_t
  /// The lowest nine bits of its mode.
  var permissions: mode_t

  /// Reads them (`lstat`); `nil` when there is nothing at the path, or it cannot be seen.
  init?(of path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let user = attributes[.ownerAccountID] as? NSNumber,
      let group = attributes[.groupOwnerAccountID] as? NSNumber,
      let permissions = attributes[.posixPermissions] as? NSNumber
    else { return nil }
    userID = user.uint32Value
    groupID = group.uint32Value
    self.permissions = permissions.uint32Value & 0o777
  }
}
