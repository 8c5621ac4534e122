public import Transfer

/// Where and how a ``WebDAVTarget`` delivers.
public struct WebDAVConfiguration: Sendable {
  /// The URL of the collection that item names are relative to: `http` or `https`, without user,
  /// password, query and fragment.
  public var url: String
  /// User and password for HTTP Basic authentication.
  public var credentials: HTTPCredentials?
  /// A file of PEM certificates that are trusted instead of the system's.
  public var certificateAuthorityFile: String?
  /// Whether items are read back and compared before they get their name.
  public var verification: Receipt.Verification
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
  /// The value of the `User-Agent` field.
  public var userAgent: String

  /// Makes a configuration.
  public init(
    url: String, credentials: HTTPCredentials? = nil, certificateAuthorityFile: String? = nil,
    verification: Receipt.Verification = .readBack, connectTimeout: Duration = .seconds(10),
    stallTimeout: Duration = .seconds(30), minimumBytesPerSecond: Int64 = 4096,
    answerTimeout: Duration = .seconds(60), userAgent: String = "platen"
  ) {
    self.url = url
    self.credentials = credentials
    self.certificateAuthorityFile = certificateAuthorityFile
    self.verification = verification
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.answerTimeout = answerTimeout
    self.userAgent = userAgent
  }
}
