/// Where and how a ``WebDAVTarget`` delivers.
public struct WebDAVConfiguration: Sendable {
  /// The URL of the collection that item names are relative to: `http` or `https`, without user,
  /// password, query and fragment.
  public var url: String
  /// User and password for HTTP Basic authentication.
  public var credentials: BasicCredentials?
  /// Whether items are read back and compared before they get their name.
  public var verification: Receipt.Verification
  /// Connections and times.
  public var http: HTTPSettings

  /// Makes a configuration.
  public init(
    url: String, credentials: BasicCredentials? = nil,
    verification: Receipt.Verification = .readBack, http: HTTPSettings = HTTPSettings()
  ) {
    self.url = url
    self.credentials = credentials
    self.verification = verification
    self.http = http
  }
}
