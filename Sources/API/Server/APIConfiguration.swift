/// The configuration of the API's server: its addresses and its limits.
package struct APIConfiguration: Sendable, Hashable {
  /// The Unix socket's path, at most 107 bytes; its directory must exist.
  package var socketPath: String
  /// The socket's permissions; an account that may write to the socket may use the API.
  package var socketMode: UInt32 = 0o660
  /// The group that the socket belongs to; `nil` leaves the service's own.
  package var socketGroup: String?
  /// The settings for serving over TCP as well; `nil` for the socket only.
  package var network: NetworkConfiguration?
  /// The accounts that may look, and those that may act.
  package var access = AccessPolicy()
  /// The limit of each caller's requests.
  package var requestRate = RequestRate.Limit()
  /// The longest body of a request in bytes.
  package var maximumBodyBytes = 64 * 1024
  /// The most listeners to events at a time, and also the most to the log.
  package var maximumListeners = 32
  /// The most viewers of the preview at a time.
  package var maximumViewers = 8
  /// The most connections at a time; further ones wait to be accepted.
  package var maximumConnections = 0
  /// The number of events that are kept for listeners that come back.
  package var eventHistoryLimit = 1024
  /// The interval at which listeners are told that the connection is alive.
  package var heartbeatInterval = Duration.seconds(10)
  /// The time that a connection may be silent between requests or in the middle of one.
  package var idleTimeout = Duration.seconds(30)
  /// The time over which an answer that waits unread has to be read at the least rate.
  ///
  /// The connection of a slower reader is closed.
  package var unreadTimeout = Duration.seconds(60)
  /// The least rate in bytes a second at which answers are read; half of what 9600 baud carry.
  package var leastReadingRate = 512
  /// The time that requests have to end after the service was told to stop.
  package var shutdownGrace = Duration.seconds(5)
  /// The time that answers without an end have then to write what waits.
  package var streamGrace = Duration.milliseconds(300)

  /// Makes a configuration; the defaults suit a rig.
  package init(socketPath: String) {
    self.socketPath = socketPath
    fitConnections()
  }

  /// Allows the connections of all listeners to events and the log, all viewers, and 64 requests.
  package mutating func fitConnections() {
    maximumConnections = 2 * maximumListeners + maximumViewers + 64
  }

  /// The most connections of one account at a time.
  ///
  /// They suffice for half of the listeners to events, for as many to the log, for the viewers, and
  /// for some requests. Some connections always remain for other accounts.
  var connectionShare: Int {
    min(maximumListeners + maximumViewers + 16, maximumConnections - 16)
  }
}
