/// Where and how a ``TusTarget`` delivers.
public struct TusConfiguration: Sendable {
  /// How a server learns the name of an item.
  public enum Naming: String, Sendable, Hashable {
    /// From `Upload-Metadata`, as the protocol has it: all uploads are made at one URL.
    case metadata
    /// From the URL that the upload is made at, as SeaweedFS wants it.
    case path
  }

  /// How we prove who we are.
  public enum Authorization: Sendable, Hashable {
    /// User and password, by Digest or Basic as the server asks.
    case basic(TargetCredentials)
    /// A token in a file, `Authorization: Bearer`.
    case bearer(SecretFile)
  }

  /// The URL that uploads are made at: `http` or `https`, without user, password, query and
  /// fragment.
  public var url: String
  /// How the server learns the name of an item.
  public var naming: Naming
  /// How we prove who we are; `nil` for servers that do not ask.
  public var authorization: Authorization?
  /// The most bytes of one request, 1 or more; what a server keeps of a request that broke off is
  /// its own affair, and some keep nothing.
  public var patchByteCount: Int64
  /// Connections and times.
  public var http: HTTPSettings

  /// Makes a configuration.
  public init(
    url: String, naming: Naming = .metadata, authorization: Authorization? = nil,
    patchByteCount: Int64 = 8 << 20, http: HTTPSettings = HTTPSettings()
  ) {
    self.url = url
    self.naming = naming
    self.authorization = authorization
    self.patchByteCount = patchByteCount
    self.http = http
  }
}
