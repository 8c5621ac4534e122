import Foundation

/// Who may look at a rig over the API, and who may do something with it.
///
/// Root and the user of the service itself may always do both: they could stop the service, or be
/// it. Who cannot open the socket gets no further, whatever is said here.
public struct AccessPolicy: Sendable, Hashable {
  /// Users and groups of this machine, by number.
  public struct Accounts: Sendable, Hashable {
    /// The users.
    public var users: Set<UInt32>
    /// The groups; a caller is in those that its process had when it made the connection.
    public var groups: Set<UInt32>

    /// Makes a set of accounts.
    public init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
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

  /// Who may look, `nil` for whoever can open the socket; who may act may look as well.
  public var readers: Accounts?
  /// Who may act, `nil` for whoever may look.
  public var operators: Accounts?
  /// The user that the service runs as.
  public var serviceUser: UInt32

  /// Makes a policy; whoever can open the socket may do everything unless more is said.
  ///
  /// - Parameter serviceUser: the user that the service runs as; this process's for `nil`.
  public init(
    readers: Accounts? = nil, operators: Accounts? = nil, serviceUser: UInt32? = nil
  ) {
    self.readers = readers
    self.operators = operators
    self.serviceUser = serviceUser ?? geteuid()
  }

  /// A policy of the same settings that knows the accounts of both.
  func adding(_ other: AccessPolicy) -> AccessPolicy {
    var policy = self
    policy.readers = readers?.union(other.readers)
    policy.operators = operators?.union(other.operators)
    return policy
  }

  /// The accounts that may always do everything.
  var owners: Set<Caller.Account> { [.user(0), .user(serviceUser)] }

  /// Whether somebody may do something.
  public func permits(_ permission: Permission, to caller: Caller) -> Bool {
    if let granted = caller.granted { return granted == .act || granted == permission }
    guard caller.userID != nil else { return false }
    if owners.contains(caller.account) { return true }
    let mayRead = readers?.contains(caller) ?? true
    let mayAct = operators?.contains(caller) ?? mayRead
    return permission == .act ? mayAct : mayRead || mayAct
  }

  /// The setting that says who may do something, as the configuration spells it.
  func setting(for permission: Permission, of caller: Caller) -> String {
    switch caller.account {
    case .token(let name): return "api.tcp.tokens.\(name).allow"
    case .user, .address, .unknown: break
    }
    return permission == .act && operators != nil ? "api.act" : "api.read"
  }
}
