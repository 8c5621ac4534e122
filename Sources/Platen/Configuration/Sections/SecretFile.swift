/// A file that holds a secret, so that the configuration holds none.
public enum SecretFile: Sendable, Hashable {
  /// A file by its absolute path.
  case path(String)
  /// A systemd credential by its name (`LoadCredential=`, systemd.exec(5)).
  case credential(String)

  /// The file's path.
  ///
  /// - Parameter environment: the process's environment; systemd puts the credentials into its
  ///   `CREDENTIALS_DIRECTORY`.
  /// - Returns: `nil` for a credential when systemd has given the process none.
  public func path(environment: [String: String]) -> String? {
    switch self {
    case .path(let path): path
    case .credential(let name):
      environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : "\($0)/\(name)" }
    }
  }
}

extension ConfigurationKind<SecretFile> {
  /// An absolute path, or `credential:` and a systemd credential's name.
  static var secretFile: ConfigurationKind {
    let path = ConfigurationKind<String>.absolutePath("an absolute path")
    return ConfigurationKind("an absolute path, or credential:NAME") { text in
      let prefix = "credential:"
      guard text.hasPrefix(prefix) else { return path.value(of: text).map(SecretFile.path) }
      let name = String(text.dropFirst(prefix.count))
      let isName =
        (1...255).contains(name.utf8.count) && !name.hasPrefix(".")
        && name.utf8.allSatisfy {
          ConfigurationKind<String>.isWordByte($0) || $0 == UInt8(ascii: ".")
        }
      return isName ? .credential(name) : nil
    }
  }
}
