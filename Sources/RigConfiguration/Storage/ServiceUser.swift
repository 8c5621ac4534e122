import API
import Glibc

/// The user that the service runs as, and its rights.
package struct ServiceUser: Sendable, Hashable {
  /// The name of the account.
  package var name: String
  var userID: uid_t
  var groupIDs: Set<gid_t>

  /// Returns whether the user may read and write a file with an owner and permissions.
  package func mayUse(_ owner: FileOwner) -> Bool {
    if userID == 0 { return true }
    let wanted: mode_t = 0o6
    if owner.userID == userID { return owner.permissions >> 6 & wanted == wanted }
    if groupIDs.contains(owner.groupID) { return owner.permissions >> 3 & wanted == wanted }
    return owner.permissions & wanted == wanted
  }

  /// Returns whether the user may give its own files to a group (chown(2)).
  package func mayGive(to group: UInt32) -> Bool { userID == 0 || groupIDs.contains(group) }

  /// The user of this process.
  package static var current: ServiceUser {
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return ServiceUser(
      name: AccountNames.userName(getuid()) ?? "\(getuid())", userID: getuid(),
      groupIDs: Set(groups.prefix(max(0, Int(count)))).union([getgid()]))
  }

  /// The unit's user; the user of this process if the unit's user does not exist.
  package static var ofUnit: ServiceUser {
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
