import Foundation
import Testing

@testable import RigConfiguration

@Suite struct ServiceUserTests {
  /// Returns the groups of this machine that have members of their own: numbers and members.
  private static func groups() throws -> [(number: gid_t, members: [String])] {
    try String(contentsOfFile: "/etc/group", encoding: .utf8).split(separator: "\n").compactMap {
      let fields = $0.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 4, let number = gid_t(fields[2]), !fields[3].isEmpty else { return nil }
      return (number, fields[3].split(separator: ",").map(String.init))
    }
  }

  /// An administrator adds the account to the group of a device, as the advice says.
  @Test func `an account has the groups that it was added to`() throws {
    for (number, members) in try Self.groups() {
      for member in members {
        guard let user = ServiceUser.account(member) else { continue }
        #expect(user.name == member && user.groupIDs.contains(number), "\(member)")
      }
    }
    let root = try #require(ServiceUser.account("root"))
    #expect(root.userID == 0 && root.groupIDs.contains(0))
    #expect(ServiceUser.account("nobody-of-that-name") == nil)
  }
}
