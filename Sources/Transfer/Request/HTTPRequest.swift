/// One HTTP request and the limits within which it must be answered.
///
/// Redirects are not followed: a `3xx` is an answer like any other. Proxies of the environment are
/// not used. TLS is 1.2 or later, and the server's certificate is always verified.
public struct HTTPRequest: Sendable {
  /// The method, in capitals, for example `GET` or `MKCOL`.
  public var method: String
  /// The URL, `http` or `https`; for a Unix socket the host is only the value of the `Host` field.
  public var url: String
  /// The fields to send, in order, beside those that libcurl adds itself.
  public var headers: [HTTPHeader]
  /// The body.
  public var body: HTTPBody
  /// The path of a Unix socket to connect to instead of the URL's host; at most 107 bytes.
  public var unixSocketPath: String?
  /// The longest time for name look-up, connection and TLS handshake together.
  public var connectTimeout: Duration
  /// The longest time in which not one byte moves, in either direction, once connected.
  public var stallTimeout: Duration
  /// The longest time for everything; `nil` sets no limit.
  public var totalTimeout: Duration?
  /// The most bytes of a body that a response may hold in memory.
  ///
  /// Bytes that go to an `onBody` closure do not count.
  public var maximumResponseBytes: Int
  /// User and password, told to the server as it asks for: by Digest, or by Basic.
  public var credentials: HTTPCredentials?
  /// Whom to trust and who we are.
  public var security: TransferSecurity
  /// The fastest that bytes are sent and received, in bytes per second, 1 or more; `nil` for no
  /// limit.
  ///
  /// They move in bursts: under a low limit nothing moves for ``smallestBurstByteCount`` divided by
  /// it.
  public var maximumBytesPerSecond: Int64?

  /// The bytes that are sent at once at least, libcurl's smallest buffer.
  public static let smallestBurstByteCount: Int64 = 16 << 10

  /// Makes a request; all but method and URL have defaults that fit a small exchange.
  public init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: HTTPBody = .none,
    unixSocketPath: String? = nil, connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), totalTimeout: Duration? = nil,
    maximumResponseBytes: Int = 64 * 1024, credentials: HTTPCredentials? = nil,
    security: TransferSecurity = TransferSecurity(), maximumBytesPerSecond: Int64? = nil
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
  }
}

/// What a request carries.
public enum HTTPBody: Sendable, Hashable {
  /// Nothing.
  case none
  /// Bytes in memory.
  case bytes([UInt8])
  /// The content of a regular file, read while it is sent; a symbolic link is refused.
  case file(path: String)
  /// A part of a regular file, from a byte on; it is an error when the file is shorter.
  case fileRange(path: String, offset: Int64, byteCount: Int64)
  /// Several bodies one after the other, sent as one; no part is read before its turn.
  indirect case parts([HTTPBody])
}

/// User and password; printing them does not show the password.
public struct HTTPCredentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The user's name; it may not contain a colon.
  public var user: String
  /// The password.
  public var password: String

  /// Makes credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// The user's name, without the password.
  public var description: String { "user \"\(user)\"" }

  /// The user's name only, so that a dump does not show the password.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
