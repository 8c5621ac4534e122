public import API

/// The section `api`: where the API is served, and who may use it.
///
/// | key | value | default |
/// |---|---|---|
/// | `socket` | the Unix socket's path, at most 107 bytes | `/run/platen/platend.sock` |
/// | `socket_group` | the group that the socket belongs to, which the service's user is in | the service's own |
/// | `read` | an ``AccountsSection``: who may look | whoever can open the socket |
/// | `act` | an ``AccountsSection``: who may look and do something | whoever may look |
/// | `tcp` | a ``TCPSection``: the API over the network | none |
/// | `rate` | requests a second of each user, above 0 and up to 1000; twice as many at once | 50 |
/// | `listeners` | how many may receive events at a time, 1 to 1000 | 32 |
///
/// Root and the service's own user may always do everything.
public struct APISection: Sendable, Hashable {
  /// The Unix socket's path.
  public var socket = "/run/platen/platend.sock"
  /// The group that may use the socket; `nil` leaves the service's own.
  public var socketGroup: String?
  /// Where the API is served over TCP; `nil` for nowhere.
  public var network: NetworkConfiguration?
  /// Who may look; `nil` for whoever can open the socket.
  public var read: AccountsSection?
  /// Who may act; `nil` for whoever may look.
  public var act: AccountsSection?
  /// How many requests each user may make.
  public var rate = RequestRate.Limit()
  /// How many may receive events at a time.
  public var listeners = 32

  /// The defaults.
  public init() {}

  init(_ section: ConfigurationMapping) {
    socket = section.path("socket") ?? socket
    if socket.utf8.count > SocketProbe.maximumPathBytes {
      section.note(
        "is longer than the \(SocketProbe.maximumPathBytes) bytes of a Unix socket's path",
        at: "socket")
    }
    socketGroup = section.text("socket_group")
    read = section.section("read").map { AccountsSection($0) }
    act = section.section("act").map { AccountsSection($0) }
    network = section.section("tcp").flatMap { TCPSection.read($0) }
    let rate = section.value("rate", expected: "a number above 0 and up to 1000") { text in
      Double(text).flatMap { $0 > 0 && $0 <= 1000 ? $0 : nil }
    }
    if let rate {
      self.rate = RequestRate.Limit(perSecond: rate, burst: Int((2 * rate).rounded(.up)))
    }
    listeners = section.integer("listeners", in: 1...1000) ?? listeners
    section.refuseUnknownKeys()
  }

  /// Who may do what, the names looked up on this machine.
  ///
  /// A name that it does not know is no fault of the configuration: a directory of accounts may come
  /// up after the machine.
  public func access() -> AccessLookup {
    var problems: [String] = []
    let policy = AccessPolicy(
      readers: read?.accounts(&problems), operators: act?.accounts(&problems))
    return AccessLookup(policy: policy, problems: problems)
  }

  /// The policy while no name has been looked up: whoever is to be known by a name is nobody.
  var strictestAccess: AccessPolicy {
    AccessPolicy(
      readers: read.map { _ in AccessPolicy.Accounts() },
      operators: act.map { _ in AccessPolicy.Accounts() })
  }
}
