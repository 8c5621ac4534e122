package import API
import Devices
import Foundation
package import Settings

/// The section `api`: the addresses of the API, and its permitted users.
///
/// Root and the service's own user may always do everything.
package struct APISection: SettingsPart, Hashable {
  /// The configuration of the server.
  ///
  /// Access by name is refused to all users before the names have been looked up.
  package var server = APIConfiguration(socketPath: "/run/platen/platend.sock")
  /// The users who may read; `nil` for all who can open the socket.
  package var read: AccountsSection?
  /// The users who may act; `nil` for all who may read.
  package var act: AccountsSection?

  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<APISection>] = [
    Setting(
      \.server.socketPath, "socket", .path, only: "at most \(UnixAddress.maximumPathBytes) bytes",
      "the Unix socket of the API"),
    Setting(
      \.server.socketGroup, "socket_group", .text(), default: "the service's own",
      "the group of the socket, of which the service's user is a member"),
    .section(
      \.read, "read", default: "everybody who can open the socket",
      "the users and groups that may read"),
    .section(
      \.act, "act", default: "everybody who may read",
      "the users and groups that may read and act"),
    Setting(
      \.server.requestRate, "rate", rate,
      "the rate of requests of each user; twice as many are allowed at once"),
    Setting(
      \.server.maximumListeners, "listeners", .integer(1...1000),
      "the maximum number of simultaneous listeners to events"),
    Setting(
      \.server.maximumViewers, "preview_viewers", .integer(1...64),
      "the maximum number of simultaneous viewers of the preview's stream"),
    .section(\.server.network, "tcp", "the API over the network, without TLS"),
  ]

  private static let rate = SettingForm<RequestRate.Limit>(
    "number", range: "above 0 and up to 1000 a second",
    expected: "a number above 0 and up to 1000 a second",
    text: { String(format: "%g", $0.perSecond) },
    parse: { text in
      guard let rate = Double(text), rate > 0, rate <= 1000 else { return nil }
      return RequestRate.Limit(perSecond: rate, burst: Int((2 * rate).rounded(.up)))
    })

  /// Refuses a long path, and completes the limits and the permissions of the server.
  package mutating func agree(in section: SettingsSection) {
    if server.socketPath.utf8.count > UnixAddress.maximumPathBytes {
      section.note(
        "is longer than the \(UnixAddress.maximumPathBytes) bytes of a Unix socket's path",
        at: "socket")
    }
    server.fitConnections()
    server.access = AccessPolicy(
      readers: read.map { _ in AccessPolicy.Accounts() },
      operators: act.map { _ in AccessPolicy.Accounts() })
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
}
