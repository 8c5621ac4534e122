import Foundation

/// Where pictures go: the section `upload`.
///
/// | key | value | default |
/// |---|---|---|
/// | `url` | the server's `http` or `https` URL without user, query and fragment | required |
/// | `prefix` | a relative path put before each picture's name | none |
/// | `ca_file` | an absolute path to the certificates to trust, in PEM | the system's |
/// | `user` | the name to log in with; together with `password_file` | no login |
/// | `password_file` | an absolute path, or `credential:NAME` for a systemd credential | no login |
/// | `connect_timeout` | 1 s to 5 min | `10 s` |
/// | `stall_timeout` | 1 s to 1 h without a byte, then the attempt ends | `30 s` |
/// | `retry_minimum` | 100 ms to 1 h before the first retry | `1 s` |
/// | `retry_maximum` | up to 24 h before each later one; not below `retry_minimum` | `5 min` |
///
/// The password itself never stands in the configuration.
public struct UploadConfiguration: Sendable, Hashable {
  /// A name and where its password lies.
  public struct Login: Sendable, Hashable {
    /// The name to log in with.
    public var user: String
    /// The file whose contents are the password.
    public var passwordFile: SecretFile
  }

  /// The server's URL, without a slash at its end.
  public var url: String
  /// The path put before each picture's name, without slashes at its ends; may be empty.
  public var prefix: String
  /// The certificates to trust; `nil` for the system's.
  public var certificateAuthorityFile: String?
  /// How to log in; `nil` without.
  public var login: Login?
  /// How long a connection may take.
  public var connectTimeout: Duration
  /// How long an upload may make no progress.
  public var stallTimeout: Duration
  /// The wait before the first retry.
  public var retryMinimum: Duration
  /// The longest wait before a retry.
  public var retryMaximum: Duration

  init?(reading mapping: ConfigurationMapping) {
    let url = mapping.require("url", as: Self.urlKind)
    prefix = mapping.read("prefix", as: Self.prefixKind, default: "")
    certificateAuthorityFile = mapping.read("ca_file", as: .absolutePath("an absolute path"))
    let user = mapping.read("user", as: .text("a user's name"))
    let passwordFile = mapping.read("password_file", as: .secretFile)
    if mapping.contains("user") != mapping.contains("password_file") {
      let (present, missing) =
        mapping.contains("user") ? ("user", "password_file") : ("password_file", "user")
      mapping.report(present, "expected \"\(missing)\" beside it, found it alone")
    }
    login = user.flatMap { user in
      passwordFile.map { Login(user: user, passwordFile: $0) }
    }
    connectTimeout = mapping.read(
      "connect_timeout", as: .duration(.seconds(1) ... .seconds(300)), default: .seconds(10))
    stallTimeout = mapping.read(
      "stall_timeout", as: .duration(.seconds(1) ... .seconds(3600)), default: .seconds(30))
    retryMinimum = mapping.read(
      "retry_minimum", as: .duration(.milliseconds(100) ... .seconds(3600)), default: .seconds(1))
    retryMaximum = mapping.read(
      "retry_maximum", as: .duration(.milliseconds(100) ... .seconds(86400)),
      default: .seconds(300))
    if retryMaximum < retryMinimum {
      let words = ConfigurationKind<Duration>.words
      mapping.report(
        mapping.contains("retry_maximum") ? "retry_maximum" : "retry_minimum",
        "expected \"retry_minimum\" not to be above \"retry_maximum\", found \(words(retryMinimum)) and \(words(retryMaximum))"
      )
    }
    guard let url else { return nil }
    self.url = url
  }

  private static var urlKind: ConfigurationKind<String> {
    ConfigurationKind(
      "an http or https URL without user, query and fragment, such as https://pages.example/inbox"
    ) { text in
      guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
        let components = URLComponents(string: text),
        ["http", "https"].contains(components.scheme?.lowercased()),
        let host = components.host, !host.isEmpty, components.user == nil,
        components.password == nil, components.query == nil, components.fragment == nil,
        components.port.map({ (1...65535).contains($0) }) ?? true
      else { return nil }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }

  private static var prefixKind: ConfigurationKind<String> {
    ConfigurationKind("a relative path of letters, digits, _, -, . and /") { text in
      if text.isEmpty { return text }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isPath = parts.allSatisfy { part in
        !part.isEmpty && part != "." && part != ".."
          && part.utf8.allSatisfy {
            ConfigurationKind<String>.isWordByte($0) || $0 == UInt8(ascii: ".")
          }
      }
      return isPath && text.utf8.count <= 512 ? text : nil
    }
  }
}
