package import Transfer

/// The connection settings and timeouts of targets on servers; SFTP uses all but those of HTTP.
package struct HTTPSettings: Sendable {
  /// The trusted authorities and our own certificate.
  package var security: TransferSecurity
  /// The timeout for connecting.
  package var connectTimeout: Duration
  /// The timeout for a transfer in which no byte moves.
  package var stallTimeout: Duration
  /// The minimum transfer rate, in bytes per second; 1 or more.
  ///
  /// A request may take `answerTimeout` plus the time for its bytes at this rate.
  package var minimumBytesPerSecond: Int64
  /// The timeout for a request, in addition to the time for its bytes.
  package var answerTimeout: Duration
  /// The limit of all deliveries together, in bytes per second, 1 or more; `nil` for no limit.
  package var bytesPerSecond: Int64?
  /// The bandwidth of that limit, of which each request takes its share; `nil` for no limit.
  package var bandwidth: BandwidthShare?
  /// The value of the `User-Agent` field.
  package var userAgent: String

  package init(
    security: TransferSecurity = TransferSecurity(), connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), minimumBytesPerSecond: Int64 = 4096,
    answerTimeout: Duration = .seconds(60), bytesPerSecond: Int64? = nil,
    bandwidth: BandwidthShare? = nil, userAgent: String = "platen"
  ) {
    self.security = security
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.answerTimeout = answerTimeout
    self.bytesPerSecond = bytesPerSecond
    self.bandwidth = bandwidth
    self.userAgent = userAgent
  }

  /// Returns the minimum transfer rate for a share, in bytes per second; 1 or more.
  ///
  /// A transfer that our own limit slows down has not stalled. A request may take twice the time
  /// that its share needs, as nothing moves between two bursts.
  private func slowestBytesPerSecond(_ share: Int64?) -> Int64 {
    max(1, min(minimumBytesPerSecond, share.map { $0 / 2 } ?? minimumBytesPerSecond))
  }

  /// Returns the timeout for an answer's next piece of so many bytes.
  func timeout(forBytes byteCount: Int64) -> Duration {
    guard let share = bandwidth?.share else { return stallTimeout }
    return stallTimeout + .seconds(byteCount / slowestBytesPerSecond(share))
  }

  /// Returns the limits of a transfer of so many bytes.
  func limits(forBytes byteCount: Int64) -> TransferLimits {
    let share = bandwidth?.share
    let slowest = slowestBytesPerSecond(share)
    let burst = share.map { Duration.seconds(HTTPRequest.smallestBurstByteCount) / max(1, $0) }
    return TransferLimits(
      connectTimeout: connectTimeout, stallTimeout: max(stallTimeout, (burst ?? .zero) * 4),
      totalTimeout: answerTimeout + .seconds(byteCount / slowest), maximumBytesPerSecond: share)
  }

  /// Makes a request within these limits, which a server may get twice as each delivery may.
  ///
  /// - Parameter byteCount: the number of bytes that the request moves, for its total timeout.
  func request(
    _ method: String, _ url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    byteCount: Int64 = 0, credentials: HTTPCredentials? = nil
  ) -> HTTPRequest {
    let limits = limits(forBytes: byteCount)
    return HTTPRequest(
      method: method, url: url, headers: headers, body: body,
      connectTimeout: limits.connectTimeout, stallTimeout: limits.stallTimeout,
      totalTimeout: limits.totalTimeout, credentials: credentials, security: security,
      maximumBytesPerSecond: limits.maximumBytesPerSecond, isRepeatable: true)
  }
}
