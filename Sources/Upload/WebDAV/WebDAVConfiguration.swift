package import Settings

/// The settings of a ``WebDAVTarget``.
package struct WebDAVConfiguration: Sendable {
  /// The way in which an item gets its name.
  package enum Commit: String, Sendable, Hashable, CaseIterable {
    /// The item is sent under a hidden name and then moved: `MKCOL`, `PUT`, `MOVE` (RFC 4918).
    case move
    /// The item is sent under its own name with `If-None-Match: *`, for `PUT`-only servers.
    ///
    /// A server that ignores the condition replaces the object with the name. No two items share a
    /// name, so that object can only be the same item.
    case put
  }

  /// The URL of the collection that item names are relative to.
  ///
  /// The URL is `http` or `https`, without user, password, query and fragment.
  package var url: String
  /// The user and the password, by Digest or Basic as the server asks.
  package var credentials: TargetCredentials?
  /// The check before an item counts as delivered.
  ///
  /// With `readBack` items are read back and compared; otherwise the server's word is taken. A
  /// `put` sends the digests along.
  package var verification = Receipt.Verification.readBack
  /// The way in which an item gets its name.
  package var commit = Commit.move
  /// Whether an item's metadata is stored beside it as `<name>.json`, before the item itself.
  package var storesMetadata = false
  /// The connection settings and timeouts.
  package var http = HTTPSettings()
}

extension WebDAVConfiguration: HTTPTargetKind {
  /// Makes the defaults of `kind: webdav`, without the URL.
  package init() { self.init(url: "") }

  /// The defaults of `kind: put`, without the URL.
  static let put = WebDAVConfiguration(url: "", commit: .put)

  private static let common: [Setting<WebDAVConfiguration>] = [
    .url, .login { credentials, root in root.credentials = credentials },
    Setting(
      \.verification, "verify", .words(["read-back": .readBack, "status": .statusOnly]),
      "the check of a stored picture: read-back compares it, status trusts the server's answer"),
  ]

  private static let metadata = Setting<WebDAVConfiguration>(
    \.storesMetadata, "metadata", .boolean, "whether NAME.json is stored beside each picture")

  private static let connection = HTTPSettings.settings.map { $0.at(\WebDAVConfiguration.http) }

  /// The settings of `kind: webdav`.
  package static let settings: [Setting<WebDAVConfiguration>] = common + [metadata] + connection

  /// The settings of `kind: put`.
  static let settingsOfPut: [Setting<WebDAVConfiguration>] = common + connection

  /// Makes the target; nothing is connected yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    try WebDAVTarget(equipped(bandwidth, userAgent))
  }
}
