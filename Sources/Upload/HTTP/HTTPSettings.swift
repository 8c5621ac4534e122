public import Transfer

/// How all targets that speak HTTP connect, and how long they wait.
public struct HTTPSettings: Sendable {
  /// Whom to trust and who we are.
  public var security: TransferSecurity
  /// The longest time to connect in.
  public var connectTimeout: Duration
  /// The longest time in which no byte moves.
  public var stallTimeout: Duration
  /// The slowest transfer that is borne, in bytes per second; 1 or more.
  ///
  /// A request may take `answerTimeout` and the time for its bytes at this rate.
  public var minimumBytesPerSecond: Int64
  /// The longest time for a request beside the time for its bytes.
  public var answerTimeout: Duration
  /// The target's bandwidth, of which each request takes its share; `nil` for no limit.
  public var bandwidth: BandwidthShare?
  /// The value of the `User-Agent` field.
  public var userAgent: String

  /// Makes settings.
  public init(
    security: TransferSecurity = TransferSecurity(), connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), minimumBytesPerSecond: Int64 = 4096,
    answerTimeout: Duration = .seconds(60), bandwidth: BandwidthShare? = nil,
    userAgent: String = "platen"
  ) {
    self.security = security
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.answerTimeout = answerTimeout
    self.bandwidth = bandwidth
    self.userAgent = userAgent
  }

  /// The fewest bytes a second that are borne, 1 or more.
  ///
  /// Our own limit is no stall: a request may take twice the time that it asks for, and nothing
  /// moves between two bursts.
  private func slowestBytesPerSecond(_ share: Int64?) -> Int64 {
    max(1, min(minimumBytesPerSecond, share.map { $0 / 2 } ?? minimumBytesPerSecond))
  }

  /// How long an answer's piece of so many bytes may take to come after the one before.
  func patience(forBytes byteCount: Int64) -> Duration {
    guard let share = bandwidth?.share else { return stallTimeout }
    return stallTimeout + .seconds(byteCount / slowestBytesPerSecond(share))
  }

  /// Makes a request within these limits.
  ///
  /// - Parameter byteCount: the bytes that it moves, for its total time.
  func request(
    _ method: String, _ url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    byteCount: Int64 = 0, credentials: HTTPCredentials? = nil
  ) -> HTTPRequest {
    let share = bandwidth?.share
    let slowest = slowestBytesPerSecond(share)
    let burst = share.map { Duration.seconds(HTTPRequest.smallestBurstByteCount) / max(1, $0) }
    return HTTPRequest(
      method: method, url: url, headers: headers, body: body, connectTimeout: connectTimeout,
      stallTimeout: max(stallTimeout, (burst ?? .zero) * 4),
      totalTimeout: answerTimeout + .seconds(byteCount / slowest),
      credentials: credentials, security: security, maximumBytesPerSecond: share)
  }
}
