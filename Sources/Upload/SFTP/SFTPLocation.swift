import Foundation

/// The URL of a directory on an SSH server, in its parts: `sftp://host:port/a/b`.
struct SFTPLocation: Hashable {
  /// Scheme, host and port, without a slash at the end.
  let origin: String
  /// Whether the directory is below the user's home, as in `sftp://host/~/a`.
  let isInHome: Bool
  /// The parts of the path, percent-decoded; empty only for the user's home itself.
  let directory: [String]

  /// Reads a URL; returns `nil` for a URL that cannot be used.
  ///
  /// The URL must be `sftp` with a host and a directory. User, password, query and fragment are
  /// not allowed.
  init?(_ text: String) {
    let scheme = "sftp://"
    guard text.lowercased().hasPrefix(scheme),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.contains(where: { "@?#\"<>\\^`{|}".contains($0) })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    // The rules for a host and a port are those of HTTP.
    guard !authority.isEmpty, OriginURL("http://\(authority)/") != nil else { return nil }
    origin = scheme + authority.lowercased()
    let parts = rest.dropFirst(authority.count).split(separator: "/").map(String.init)
    isInHome = parts.first == "~"
    var directory: [String] = []
    for part in parts.dropFirst(isInHome ? 1 : 0) {
      guard let decoded = part.removingPercentEncoding,
        CollectionURL.parts(ofName: decoded)?.count == 1
      else { return nil }
      directory.append(decoded)
    }
    guard isInHome || !directory.isEmpty else { return nil }
    self.directory = directory
  }

  /// Returns the URL of a file from the parts of its name.
  func url(_ name: [String] = []) -> String {
    let parts = (directory + name).map(CollectionURL.encoded)
    return origin + "/" + ((isInHome ? ["~"] : []) + parts).joined(separator: "/")
  }

  /// Returns the path of a file for a command: absolute, or relative to the user's home.
  func path(_ name: [String] = []) -> String {
    let path = (directory + name).joined(separator: "/")
    return isInHome ? (path.isEmpty ? "." : path) : "/" + path
  }

  /// The URL for commands, which bring their own paths.
  var commands: String { origin + "/" }
}
