/// Where and within which bounds the API is served.
public struct APIConfiguration: Sendable, Hashable {
  /// The Unix socket's path, at most 107 bytes; its directory must exist.
  public var socketPath: String
  /// The socket's permissions; whoever may write to it may use the API.
  public var socketMode: UInt32
  /// The group that the socket belongs to; `nil` leaves the service's own.
  public var socketGroup: String?
  /// Where the API is served over TCP as well; `nil` for nowhere.
  public var network: NetworkConfiguration?
  /// Who may look, and who may act.
  public var access: AccessPolicy
  /// How many requests each caller may make.
  public var requestRate: RequestRate.Limit
  /// The longest body of a request in bytes.
  public var maximumBodyBytes: Int
  /// How many may receive events at a time, and as many the log.
  public var maximumListeners: Int
  /// How many connections may be open at a time; more wait to be accepted.
  public var maximumConnections: Int
  /// How many events are kept for listeners that come back.
  public var eventHistoryLimit: Int
  /// How often listeners are told that the connection is alive.
  public var heartbeatInterval: Duration
  /// How long a connection may be silent between requests or in the middle of one.
  public var idleTimeout: Duration
  /// Over which time an answer that lies there unread has to be read at the least rate; else its
  /// connection is closed.
  public var unreadTimeout: Duration
  /// How many bytes a second of an answer have to be read; half of what 9600 baud carry.
  public var leastReadingRate: Int
  /// How long requests may take to end after the service was told to stop.
  public var shutdownGrace: Duration

  /// Makes a configuration; the defaults suit a rig.
  public init(
    socketPath: String, socketMode: UInt32 = 0o660, socketGroup: String? = nil,
    network: NetworkConfiguration? = nil,
    access: AccessPolicy = AccessPolicy(), requestRate: RequestRate.Limit = RequestRate.Limit(),
    maximumBodyBytes: Int = 64 * 1024, maximumListeners: Int = 32, maximumConnections: Int = 128,
    eventHistoryLimit: Int = 1024, heartbeatInterval: Duration = .seconds(10),
    idleTimeout: Duration = .seconds(30), unreadTimeout: Duration = .seconds(60),
    leastReadingRate: Int = 512, shutdownGrace: Duration = .seconds(5)
  ) {
    self.socketPath = socketPath
    self.socketMode = socketMode
    self.socketGroup = socketGroup
    self.network = network
    self.access = access
    self.requestRate = requestRate
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumListeners = maximumListeners
    self.maximumConnections = maximumConnections
    self.eventHistoryLimit = eventHistoryLimit
    self.heartbeatInterval = heartbeatInterval
    self.idleTimeout = idleTimeout
    self.unreadTimeout = unreadTimeout
    self.leastReadingRate = leastReadingRate
    self.shutdownGrace = shutdownGrace
  }

  /// How many connections one account may have at a time.
  ///
  /// They are enough for half of the places of those who receive events, as many of those who
  /// receive the log, and some requests beside them; some connections are left to others anyway.
  var connectionShare: Int { min(maximumListeners + 16, maximumConnections - 16) }
}
