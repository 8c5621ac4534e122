package import API

/// The section `api`: the addresses of the API, and its permitted users.
///
/// | key | value | default |
/// |---|---|---|
/// | `socket` | the Unix socket's path, at most 107 bytes | `/run/platen/platend.sock` |
/// | `socket_group` | the group of the socket, of which the service's user is a member | the service's own |
/// | `read` | an ``AccountsSection``: the users who may read | everybody who can open the socket |
/// | `act` | an ``AccountsSection``: the users who may read and act | everybody who may read |
/// | `tcp` | a ``TCPSection``: the API over the network | none |
/// | `rate` | requests a second of each user, above 0 and up to 1000; twice as many at once | 50 |
/// | `listeners` | the number of simultaneous listeners to events, 1 to 1000 | 32 |
///
/// Root and the service's own user may always do everything.
package struct APISection: Sendable, Hashable {
  /// The Unix socket's path.
  package var socket = "/run/platen/platend.sock"
  /// The group that may use the socket; `nil` leaves the service's own.
  package var socketGroup: String?
  /// The address of the API over TCP; `nil` for none.
  package var network: NetworkConfiguration?
  /// The users who may read; `nil` for everybody who can open the socket.
  package var read: AccountsSection?
  /// The users who may act; `nil` for everybody who may read.
  package var act: AccountsSection?
  /// The rate of requests that each user may make.
  package var rate = RequestRate.Limit()
  /// The maximum number of simultaneous listeners to events.
  package var listeners = 32

  /// Makes the defaults.
  package init() {}

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

  /// Returns the permissions, after looking the names up on this machine.
  ///
  /// An unknown name is no configuration error: a directory of accounts may start after the
  /// machine.
  package func access() -> AccessLookup {
    var problems: [String] = []
    let policy = AccessPolicy(
      readers: read?.accounts(&problems), operators: act?.accounts(&problems))
    return AccessLookup(policy: policy, problems: problems)
  }

  /// The policy before the names have been looked up: access by name is refused to everybody.
  var strictestAccess: AccessPolicy {
    AccessPolicy(
      readers: read.map { _ in AccessPolicy.Accounts() },
      operators: act.map { _ in AccessPolicy.Accounts() })
  }
}
