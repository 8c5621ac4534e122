/// Returns a URL without what may be secret in it: user and password, query and fragment.
///
/// It works on text that is no valid URL too, since that is what errors quote: a password with a
/// `/`, `?` or `#` in it is one reason why a URL is not valid.
public func redactedURL(_ url: String) -> String {
  var scheme = ""
  var rest = url[...]
  if let separator = url.utf8.firstRange(of: "://".utf8) {
    scheme = String(url[..<separator.upperBound])
    rest = url[separator.upperBound...]
  }
  let authority = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)]
  if let at = authority.lastIndex(of: "@") {
    rest = rest[rest.index(after: at)...]
  } else if let at = rest.lastIndex(of: "@"), authority.contains(":"), !endsInPort(authority) {
    rest = rest[rest.index(after: at)...]
  }
  let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
  var shown = String.UnicodeScalarView()
  for scalar in rest[..<end].unicodeScalars {
    shown.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
  }
  return scheme + String(shown) + (end == rest.endIndex ? "" : "?…")
}

/// Whether an authority ends in a port number, which tells `host:8080` from `user:secret`.
private func endsInPort(_ authority: Substring) -> Bool {
  guard let colon = authority.lastIndex(of: ":") else { return false }
  let port = authority[authority.index(after: colon)...]
  return port.utf8.count <= 5 && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
}
