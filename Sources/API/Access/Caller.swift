/// A caller of the API: the account and the origin of a request.
package struct Caller: Sendable, Hashable {
  /// The account of a caller, by which its rate and its permissions are found.
  package enum Account: Sendable, Hashable {
    /// A user of this machine, by number.
    case user(UInt32)
    /// The holder of a token, by the token's name.
    case token(String)
    /// A network caller that is not identified yet, by its address.
    case address(String)
    /// An account of which nothing is known.
    case unknown
  }

  /// The origin of a call.
  package enum Origin: Sendable, Hashable {
    /// The Unix socket, with the number of the process that made the connection.
    case unixSocket(processID: Int32)
    /// TCP, with the address at the other end.
    case network(address: String)
    /// An unknown origin.
    case unknown
  }

  /// A caller of which nothing is known and that may do nothing.
  package static let unknown = Caller(account: .unknown, name: nil, origin: .unknown)

  /// The account of the caller.
  package let account: Account
  /// The account's name; `nil` when it has none.
  package let name: String?
  /// The numbers of the groups that the process had when it made the connection.
  package let groupIDs: Set<UInt32>
  /// The permission that a token grants; `nil` for a caller without a token.
  package let granted: Permission?
  /// The origin of the call.
  package let origin: Origin

  package init(
    account: Account, name: String?, groupIDs: Set<UInt32> = [], granted: Permission? = nil,
    origin: Origin
  ) {
    self.account = account
    self.name = name
    self.groupIDs = groupIDs
    self.granted = granted
    self.origin = origin
  }

  init(_ peer: PeerCredentials, name: String?) {
    self.init(
      account: .user(peer.userID), name: name, groupIDs: peer.groupIDs,
      origin: .unixSocket(processID: peer.processID))
  }

  /// The number of the user, for an account of this machine.
  package var userID: UInt32? {
    if case .user(let number) = account { number } else { nil }
  }
}

extension Caller: CustomStringConvertible {
  /// The account as messages name it, for example `user "scan" (1000)`.
  package var description: String {
    switch account {
    case .user(let number): name.map { "user \"\($0)\" (\(number))" } ?? "user \(number)"
    case .token(let name): "holder of the token \"\(name)\""
    case .address(let address): "caller at \(address)"
    case .unknown: "caller, of whom the kernel says nothing,"
    }
  }
}
