/// The server, the login and the limits of a transfer over SFTP, version 3.
///
/// Proxies of the environment and keys of an SSH agent are not used.
package struct SFTPRequest: Sendable {
  /// The URL `sftp://HOST[:PORT]/PATH`, without user and password; `/~/` leads to the user's home.
  package var url: String
  /// The login.
  package var login: SSHLogin
  /// The limits.
  package var limits: TransferLimits

  package init(url: String, login: SSHLogin, limits: TransferLimits) {
    self.url = url
    self.login = login
    self.limits = limits
  }
}

/// A command to an SFTP server about a path: absolute, or relative to the user's home.
package enum SFTPCommand: Sendable, Hashable {
  /// Renames a file; version 3 of the protocol refuses a name that exists.
  case rename(String, to: String)
  /// Removes a file.
  case remove(String)
  /// Asks for the free space of the file system that holds a path.
  case freeSpace(String)

  /// The command in the language of `CURLOPT_QUOTE`.
  var text: String {
    switch self {
    case .rename(let old, let new): "rename \(Self.quoted(old)) \(Self.quoted(new))"
    case .remove(let path): "rm \(Self.quoted(path))"
    case .freeSpace(let path): "statvfs \(Self.quoted(path))"
    }
  }

  /// The command's name, for errors.
  var name: String {
    switch self {
    case .rename: "rename"
    case .remove: "remove"
    case .freeSpace: "statvfs"
    }
  }

  private static func quoted(_ path: String) -> String {
    var text = "\""
    for character in path.unicodeScalars {
      if character == "\"" || character == "\\" { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text + "\""
  }

  /// Returns the free bytes that an answer to ``freeSpace(_:)`` names; `nil` when there are none.
  static func freeBytes(in answer: String) -> Int64? {
    func value(_ name: String) -> Int64? {
      let line = answer.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name): ") }
      return line?.split(separator: " ").last.flatMap { Int64($0) }
    }
    guard let size = value("f_frsize"), let count = value("f_bavail") else { return nil }
    let (bytes, overflow) = size.multipliedReportingOverflow(by: count)
    return overflow ? .max : bytes
  }
}
