/// Returns a URL without its possible secrets: user and password, query and fragment.
///
/// The function also accepts invalid URLs, because errors quote them. A password with a `/`, `?` or
/// `#`, for example, makes a URL invalid. Therefore everything up to the last `@` is removed. That
/// also removes the host of a URL with a port and an `@` in its path.
package func redactedURL(_ url: String) -> String {
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
