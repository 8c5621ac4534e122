/// A URL taken apart at the end of its origin: scheme, host and port, and then the rest.
///
/// Credentials belong to an origin: a `Location` that leads to another one is not followed.
struct OriginURL: Hashable {
  /// `http` or `https`.
  let scheme: String
  /// The host in lower case, with brackets around an IPv6 address.
  let host: String
  /// The port, also where it is the scheme's own.
  let port: UInt16
  /// Path and query, percent-encoded; it begins with a slash.
  let target: String

  /// Reads a URL; `nil` unless it is `http` or `https` with a host, in printable ASCII, and free of
  /// user, password and fragment.
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

  /// The value of the `Host` field: the host, and the port where it is not the scheme's own.
  var hostField: String {
    port == Self.usualPort(of: scheme) ? host : "\(host):\(port)"
  }

  /// The whole URL.
  var text: String { "\(scheme)://\(hostField)\(target)" }

  /// The path, up to the query.
  var path: String { String(target.prefix { $0 != "?" }) }

  /// The URL of something below this one, from the parts of its name.
  func appending(_ name: [String]) -> OriginURL {
    var directory = path
    if !directory.hasSuffix("/") { directory += "/" }
    return OriginURL(
      scheme: scheme, host: host, port: port,
      target: directory + name.map(CollectionURL.encoded).joined(separator: "/"))
  }

  /// Returns the URL that a reference in an answer means, RFC 3986 §5.2; `nil` when it leads to
  /// another origin, or is none.
  ///
  /// A server behind a proxy that ends TLS does not know of it and names itself with `http`, without
  /// a port or with its own: of such a reference the path is taken, and nothing goes out in clear.
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
    // A colon before any slash would begin with a scheme of another kind.
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
