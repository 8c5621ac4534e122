import Foundation

/// The accounts that may look at a rig over the API, and those that may act on it.
///
/// Root and the service's own user may always do both: they could stop the service or act as it. A
/// caller that cannot open the socket has no access, whatever the policy says.
package struct AccessPolicy: Sendable, Hashable {
  /// Users and groups of this machine, by number.
  package struct Accounts: Sendable, Hashable {
    /// The users.
    package var users: Set<UInt32>
    /// The groups; a caller is in those that its process had when it made the connection.
    package var groups: Set<UInt32>

    package init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
      self.users = users
      self.groups = groups
    }

    func union(_ other: Accounts?) -> Accounts {
      Accounts(
        users: users.union(other?.users ?? []), groups: groups.union(other?.groups ?? []))
    }

    func contains(_ caller: Caller) -> Bool {
      caller.userID.map(users.contains) ?? false || !groups.isDisjoint(with: caller.groupIDs)
    }
  }

  /// The accounts that may look; `nil` for every account that can open the socket.
  ///
  /// An account that may act may look as well.
  package var readers: Accounts?
  /// The accounts that may act; `nil` for every account that may look.
  package var operators: Accounts?
  /// The user that the service runs as.
  package var serviceUser: UInt32

  /// Makes a policy; without accounts, every caller that can open the socket may do everything.
  ///
  /// - Parameter serviceUser: the user that the service runs as; `nil` for the user of this
  ///   process.
  package init(
    readers: Accounts? = nil, operators: Accounts? = nil, serviceUser: UInt32? = nil
  ) {
    self.readers = readers
    self.operators = operators
    self.serviceUser = serviceUser ?? geteuid()
  }

  /// Returns this policy with the accounts of another policy of the same settings added.
  func adding(_ other: AccessPolicy) -> AccessPolicy {
    var policy = self
    policy.readers = readers?.union(other.readers)
    policy.operators = operators?.union(other.operators)
    return policy
  }

  /// The accounts that may always do everything.
  var owners: Set<Caller.Account> { [.user(0), .user(serviceUser)] }

  /// Returns whether a caller has a permission.
  package func permits(_ permission: Permission, to caller: Caller) -> Bool {
    if let granted = caller.granted { return granted == .act || granted == permission }
    guard caller.userID != nil else { return false }
    if owners.contains(caller.account) { return true }
    let mayRead = readers?.contains(caller) ?? true
    let mayAct = operators?.contains(caller) ?? mayRead
    return permission == .act ? mayAct : mayRead || mayAct
  }

  /// Returns the configuration key that decides about a permission of a caller.
  func setting(for permission: Permission, of caller: Caller) -> String {
    switch caller.account {
    case .token(let name): return "api.tcp.tokens.\(name).allow"
    case .user, .address, .unknown: break
    }
    return permission == .act && operators != nil ? "api.act" : "api.read"
  }
}
