/// Who makes a request, and from where.
public struct Caller: Sendable, Hashable {
  /// As whom somebody calls; what rates and permissions go by.
  public enum Account: Sendable, Hashable {
    /// A user of this machine, by number.
    case user(UInt32)
    /// Who has a token, by its name.
    case token(String)
    /// Who calls over the network and is not known yet, by the address.
    case address(String)
    /// Somebody of whom nothing is known.
    case unknown
  }

  /// From where somebody calls.
  public enum Origin: Sendable, Hashable {
    /// Over the Unix socket: the number of the process that made the connection.
    case unixSocket(processID: Int32)
    /// Over TCP: the address at the other end.
    case network(address: String)
    /// From where is not known.
    case unknown
  }

  /// Somebody of whom nothing is known, who may do nothing.
  public static let unknown = Caller(account: .unknown, name: nil, origin: .unknown)

  /// As whom.
  public let account: Account
  /// The account's name; `nil` when it has none.
  public let name: String?
  /// The numbers of the groups that the process had when it made the connection.
  public let groupIDs: Set<UInt32>
  /// What a token allows; `nil` for who has none.
  public let granted: Permission?
  /// From where.
  public let origin: Origin

  /// Makes a caller.
  public init(
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
  public var userID: UInt32? {
    if case .user(let number) = account { number } else { nil }
  }
}

extension Caller: CustomStringConvertible {
  /// The account as messages name it, for example `user "scan" (1000)`.
  public var description: String {
    switch account {
    case .user(let number): name.map { "user \"\($0)\" (\(number))" } ?? "user \(number)"
    case .token(let name): "holder of the token \"\(name)\""
    case .address(let address): "caller at \(address)"
    case .unknown: "caller, of whom the kernel says nothing,"
    }
  }
}
