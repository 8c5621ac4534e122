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
  /// The fastest that a body is sent, in bytes per second; `nil` for no limit.
  public var maximumBytesPerSecond: Int64?
  /// The bandwidth that the target's deliveries share, asked when a request is made; the lower of
  /// its share and ``maximumBytesPerSecond`` counts.
  public var bandwidth: BandwidthShare?
  /// The value of the `User-Agent` field.
  public var userAgent: String

  /// Makes settings.
  public init(
    security: TransferSecurity = TransferSecurity(), connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), minimumBytesPerSecond: Int64 = 4096,
    answerTimeout: Duration = .seconds(60), maximumBytesPerSecond: Int64? = nil,
    userAgent: String = "platen"
  ) {
    self.security = security
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.answerTimeout = answerTimeout
    self.maximumBytesPerSecond = maximumBytesPerSecond
    self.userAgent = userAgent
  }

  /// Makes a request within these limits.
  ///
  /// - Parameter byteCount: the bytes that it moves, for its total time.
  func request(
    _ method: String, _ url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    byteCount: Int64 = 0, credentials: HTTPCredentials? = nil
  ) -> HTTPRequest {
    let fastest = [maximumBytesPerSecond, bandwidth?.share].compactMap { $0 }.min()
    let slowest = min(minimumBytesPerSecond, fastest ?? minimumBytesPerSecond)
    return HTTPRequest(
      method: method, url: url, headers: headers, body: body, connectTimeout: connectTimeout,
      stallTimeout: stallTimeout,
      totalTimeout: answerTimeout + .seconds(byteCount / max(1, slowest)),
      credentials: credentials, security: security, maximumBytesPerSecond: fastest)
  }
}
