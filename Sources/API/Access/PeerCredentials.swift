internal import CPeerCalls
import Foundation
import NIOCore

/// The credentials of a Unix socket's peer, as the kernel noted them at the connection.
///
/// Later changes of the process do not count, and the process cannot claim other credentials.
struct PeerCredentials: Sendable, Hashable {
  /// The most supplementary groups that Linux lets a process have (`NGROUPS_MAX`).
  private static let maximumGroups = 65536

  let userID: UInt32
  /// The group and the supplementary groups.
  let groupIDs: Set<UInt32>
  let processID: Int32

  init(userID: UInt32, groupIDs: Set<UInt32>, processID: Int32) {
    self.userID = userID
    self.groupIDs = groupIDs
    self.processID = processID
  }

  /// Asks the kernel (`SO_PEERCRED`, `SO_PEERGROUPS`), which answers at once.
  ///
  /// - Returns: `nil` when the kernel does not say.
  init?(of socket: NIOBSDSocket.Handle) {
    var (process, user, group) = (Int32(0), UInt32(0), UInt32(0))
    guard CPeerCalls_credentials(socket, &process, &user, &group) == 0 else { return nil }
    var groups = [UInt32](repeating: 0, count: 64)
    var count = UInt32(groups.count)
    var error = CPeerCalls_groups(socket, &groups, &count)
    if error == ERANGE, count <= Self.maximumGroups {
      groups = [UInt32](repeating: 0, count: Int(count))
      error = CPeerCalls_groups(socket, &groups, &count)
    }
    guard error == 0 else { return nil }
    self.init(
      userID: user, groupIDs: Set(groups.prefix(Int(count)) + [group]), processID: process)
  }
}
