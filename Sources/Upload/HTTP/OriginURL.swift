/// A URL split into its origin (scheme, host and port) and the rest.
///
/// Credentials belong to an origin, so a `Location` that leads to another origin is not followed.
struct OriginURL: Hashable {
  /// The scheme, `http` or `https`.
  let scheme: String
  /// The host in lower case, with brackets around an IPv6 address.
  let host: String
  /// The port, also if it is the scheme's default.
  let port: UInt16
  /// The path and the query, percent-encoded, with a slash at the beginning.
  let target: String

  /// Reads a URL; returns `nil` for a URL that cannot be used.
  ///
  /// The URL must be `http` or `https` with a host, in printable ASCII. User, password and fragment
  /// are not allowed.
  init?(_ text: String) {
    guard Self.isPrintable(text), let separator = text.utf8.firstRange(of: "://".utf8) else {
      return nil
    }
    let scheme = text[..<separator.lowerBound].lowercased()
    let rest = text[separator.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard scheme == "http" || scheme == "https", !authority.contains("@"),
      let (host, port) = Self.hostAndPort(authority, scheme)
    else { return nil }
    let target = rest.dropFirst(authority.count)
    self.init(
      scheme: scheme, host: host, port: port,
      target: target.hasPrefix("/") ? String(target) : "/" + target)
  }

  private init(scheme: String, host: String, port: UInt16, target: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = target
  }

  /// The value of the `Host` field: the host, and the port unless it is the scheme's default.
  var hostField: String {
    port == Self.usualPort(of: scheme) ? host : "\(host):\(port)"
  }

  /// The whole URL.
  var text: String { "\(scheme)://\(hostField)\(target)" }

  /// The path, up to the query.
  var path: String { String(target.prefix { $0 != "?" }) }

  /// Returns the URL of an object below this one, from the parts of the object's name.
  func appending(_ name: [String]) -> OriginURL {
    var directory = path
    if !directory.hasSuffix("/") { directory += "/" }
    return OriginURL(
      scheme: scheme, host: host, port: port,
      target: directory + name.map(CollectionURL.encoded).joined(separator: "/"))
  }

  /// Returns the URL of a reference in an answer, RFC 3986 §5.2.
  ///
  /// The result is `nil` if the reference leads to another origin or is no URL.
  ///
  /// A server behind a proxy that ends TLS names itself with `http`, without a port or with this
  /// URL's port. Only the path of such a reference is used, so nothing is sent unencrypted.
  func sameOrigin(_ reference: String) -> OriginURL? {
    guard Self.isPrintable(reference), !reference.isEmpty else { return nil }
    let lowercase = reference.lowercased()
    if lowercase.hasPrefix("//") { return sameOrigin("\(scheme):\(reference)") }
    if lowercase.hasPrefix("http://") || lowercase.hasPrefix("https://") {
      guard let other = OriginURL(reference), other.host == host else { return nil }
      if other.scheme == scheme, other.port == port { return other }
      let isBehindTLS =
        scheme == "https" && other.scheme == "http"
        && [port, Self.usualPort(of: "http")].contains(other.port)
      guard isBehindTLS else { return nil }
      return OriginURL(scheme: scheme, host: host, port: port, target: other.target)
    }
    // A colon before any slash marks another scheme.
    guard !reference.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") else { return nil }
    let target: String
    if reference.hasPrefix("/") {
      target = reference
    } else if reference.hasPrefix("?") {
      target = path + reference
    } else {
      target = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference
    }
    let segments = target.prefix { $0 != "?" }.split(separator: "/")
    guard !segments.contains("."), !segments.contains("..") else { return nil }
    return OriginURL(scheme: scheme, host: host, port: port, target: target)
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains("#")
      && !text.contains("\\")
  }

  private static func usualPort(of scheme: String) -> UInt16 { scheme == "https" ? 443 : 80 }

  private static func hostAndPort(
    _ authority: Substring, _ scheme: String
  ) -> (host: String, port: UInt16)? {
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[bracket...].lastIndex(of: ":") else {
      return authority.isEmpty ? nil : (authority.lowercased(), usualPort(of: scheme))
    }
    let digits = authority[authority.index(after: colon)...]
    guard colon != authority.startIndex, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits), port > 0
    else { return nil }
    return (authority[..<colon].lowercased(), port)
  }
}
