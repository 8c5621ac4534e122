/// An HTTP request with its limits.
///
/// Redirects are not followed: a `3xx` is an answer like any other. Proxies of the environment are
/// not used. TLS is 1.2 or later, and the server's certificate is always verified.
package struct HTTPRequest: Sendable {
  /// The method, in capitals, for example `GET` or `MKCOL`.
  package var method: String
  /// The URL, `http` or `https`; for a Unix socket the host is only the value of the `Host` field.
  package var url: String
  /// The fields to send, in order, in addition to those from libcurl.
  package var headers: [HTTPHeader]
  /// The body.
  package var body: HTTPBody
  /// The path of a Unix socket to connect to instead of the URL's host; at most 107 bytes.
  package var unixSocketPath: String?
  /// The longest time for name lookup, connection and TLS handshake together.
  package var connectTimeout: Duration
  /// The longest time without a single byte in either direction, once connected.
  package var stallTimeout: Duration
  /// The longest time for the whole exchange; `nil` sets no limit.
  package var totalTimeout: Duration?
  /// The most bytes of a body that a response may hold in memory.
  ///
  /// Bytes that go to an `onBody` closure do not count.
  package var maximumResponseBytes: Int
  /// The user and the password, sent as the server requests: by Digest or by Basic.
  package var credentials: HTTPCredentials?
  /// The trusted authorities and keys, and the client's own certificate.
  package var security: TransferSecurity
  /// The speed limit in both directions in bytes per second, 1 or more; `nil` for no limit.
  ///
  /// Bytes move in bursts. Under a low limit, a pause between bursts lasts
  /// ``smallestBurstByteCount`` divided by the limit.
  package var maximumBytesPerSecond: Int64?
  /// Whether the server may get a `POST` or `PATCH` twice without harm.
  ///
  /// If so, the request uses the kept connection. libcurl sends it again on a new connection when
  /// the kept one turns out closed.
  package var isRepeatable: Bool

  /// The least number of bytes sent at once: libcurl's smallest buffer.
  package static let smallestBurstByteCount: Int64 = 16 << 10

  /// Creates a request; all parameters except the URL have defaults for a small exchange.
  package init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    unixSocketPath: String? = nil, connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), totalTimeout: Duration? = nil,
    maximumResponseBytes: Int = 64 * 1024, credentials: HTTPCredentials? = nil,
    security: TransferSecurity = TransferSecurity(), maximumBytesPerSecond: Int64? = nil,
    isRepeatable: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.unixSocketPath = unixSocketPath
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.totalTimeout = totalTimeout
    self.maximumResponseBytes = maximumResponseBytes
    self.credentials = credentials
    self.security = security
    self.maximumBytesPerSecond = maximumBytesPerSecond
    self.isRepeatable = isRepeatable
  }
}

/// The body of a request.
package enum HTTPBody: Sendable, Hashable {
  /// The request has no body.
  case none
  /// The bytes in memory.
  case bytes([UInt8])
  /// The content of a regular file, read during the transfer; a symbolic link is refused.
  case file(path: String)
  /// A range of a regular file; a file that is too short is an error.
  case fileRange(path: String, offset: Int64, byteCount: Int64)
  /// A sequence of bodies, sent as one; no part is read before its turn.
  indirect case parts([HTTPBody])
}

/// A user and a password; printing them does not show the password.
package struct HTTPCredentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The user's name, which must not contain a colon.
  package var user: String
  /// The password.
  package var password: String

  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// The user's name, without the password.
  package var description: String { "user \"\(user)\"" }

  /// A mirror with the user's name only, so that a dump does not show the password.
  package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
