/// Where and how a ``WebDAVTarget`` delivers.
public struct WebDAVConfiguration: Sendable {
  /// How an item gets its name.
  public enum Commit: String, Sendable, Hashable, CaseIterable {
    /// It is sent under a hidden name and moved to its own: `MKCOL`, `PUT`, `MOVE` (RFC 4918).
    case move
    /// It is sent under its own name with `If-None-Match: *`, for servers that know `PUT` only.
    ///
    /// A server that ignores the condition replaces what has the name; since no two items share a
    /// name, that can only be the same item.
    case put
  }

  /// The URL of the collection that item names are relative to: `http` or `https`, without user,
  /// password, query and fragment.
  public var url: String
  /// User and password, by Digest or Basic as the server asks.
  public var credentials: TargetCredentials?
  /// Whether items are read back and compared before they count as delivered; anything but
  /// `readBack` takes the server's word, to which a `put` sends the digests along.
  public var verification: Receipt.Verification
  /// How an item gets its name.
  public var commit: Commit
  /// Whether what is known of an item is stored beside it as `<name>.json`, before the item itself.
  public var storesMetadata: Bool
  /// Connections and times.
  public var http: HTTPSettings

  /// Makes a configuration.
  public init(
    url: String, credentials: TargetCredentials? = nil,
    verification: Receipt.Verification = .readBack, commit: Commit = .move,
    storesMetadata: Bool = false, http: HTTPSettings = HTTPSettings()
  ) {
    self.url = url
    self.credentials = credentials
    self.verification = verification
    self.commit = commit
    self.storesMetadata = storesMetadata
    self.http = http
  }
}
