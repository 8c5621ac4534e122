/// Returns a URL without what may be secret in it: user and password, query and fragment.
///
/// It works on text that is no valid URL too, since that is what errors quote: a password with a
/// `/`, `?` or `#` in it is one reason why a URL is not valid. So all up to the last `@` goes, also
/// the host of a URL with a port that has one in its path.
public func redactedURL(_ url: String) -> String {
  var scheme = ""
  var rest = url[...]
  if let separator = url.utf8.firstRange(of: "://".utf8) {
    scheme = String(url[..<separator.upperBound])
    rest = url[separator.upperBound...]
  }
  // A password may look like a port and the beginning of a path.
  let authority = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)]
  if authority.contains(where: { $0 == ":" || $0 == "@" }), let at = rest.lastIndex(of: "@") {
    rest = rest[rest.index(after: at)...]
  }
  let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
  var shown = String.UnicodeScalarView()
  for scalar in rest[..<end].unicodeScalars {
    shown.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
  }
  return scheme + String(shown) + (end == rest.endIndex ? "" : "?…")
}
