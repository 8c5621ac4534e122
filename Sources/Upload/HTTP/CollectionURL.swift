import Devices

/// The URL of a collection on a WebDAV server, in its parts: `http://host:port/a/b/`.
struct CollectionURL: Hashable {
  /// Scheme, host and port, without a slash at the end.
  let origin: String
  /// The parts of the path, as written in the URL.
  let segments: [String]

  /// Reads a URL; returns `nil` for a URL that cannot be used.
  ///
  /// The URL must be `http` or `https` with a host and a valid port. User, password, query and
  /// fragment are not allowed.
  init?(_ text: String) {
    let lowercase = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: { lowercase.hasPrefix($0) }) else {
      return nil
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    guard !authority.isEmpty, !authority.hasPrefix(":"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.contains(where: { "@?#\"<>\\^`{|}".contains($0) }), OriginURL(text) != nil
    else { return nil }
    origin = scheme + authority
    segments = rest.dropFirst(authority.count).split(separator: "/").map(String.init)
    guard !segments.contains("."), !segments.contains("..") else { return nil }
  }

  /// Makes the URL of an object below the collection from the parts of its name.
  func url(_ name: [String]) -> String {
    origin + "/" + (segments + name.map(Self.encoded)).joined(separator: "/")
  }

  /// Makes the URLs of the collections on the way to an object, the innermost first.
  func collections(above name: [String]) -> [String] {
    let all = segments + name.dropLast().map(Self.encoded)
    return stride(from: all.count, to: 0, by: -1).map {
      origin + "/" + all[..<$0].joined(separator: "/") + "/"
    }
  }

  /// Splits a name such as `2026/11/page.jpg`; returns `nil` when a part could lead elsewhere.
  static func parts(ofName name: String) -> [String]? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // 247 bytes leave room for the dot and the ending of the temporary name.
    let isGood = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 247
        && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    }
    return isGood && name.utf8.count <= 2048 ? parts : nil
  }

  /// Percent-encodes all but RFC 3986's unreserved characters.
  static func encoded(_ part: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
