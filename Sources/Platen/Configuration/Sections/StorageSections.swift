/// The section `spool`: the durable on-device queue.
///
/// | key | value | default |
/// |---|---|---|
/// | `directory` | an absolute path; made if its parent exists | required |
/// | `minimum_free` | space that captures leave free on the file system | `256 MiB` |
/// | `maximum_bytes` | the most that waiting pictures may take, 64 MiB or more | no limit |
public struct SpoolSection: Sendable, Hashable {
  /// The directory.
  public var directory: String
  /// Bytes that captures leave free.
  public var minimumFreeBytes: Int64 = 256 << 20
  /// The most that waiting pictures may take, in bytes.
  public var maximumBytes: Int64?

  init?(_ section: ConfigurationMapping) {
    section.require("directory", "an absolute path")
    let directory = section.path("directory")
    let minimumFree = section.bytes("minimum_free", in: 0...(1 << 50))
    maximumBytes = section.bytes("maximum_bytes", in: (64 << 20)...(1 << 50))
    section.refuseUnknownKeys()
    guard let directory else { return nil }
    self.directory = directory
    minimumFreeBytes = minimumFree ?? minimumFreeBytes
  }
}

/// The section `upload`: where pictures go.
///
/// | key | value | default |
/// |---|---|---|
/// | `url` | an http or https URL of a WebDAV collection | required |
/// | `ca_file` | certificates to trust instead of the system's | the system's |
/// | `user` | the user's name | none |
/// | `password_file` | a file with the password, or `credential:NAME` for a systemd credential | none |
/// | `connect_timeout` | 1 s to 5 min | `10 s` |
/// | `stall_timeout` | how long no byte may move, 1 s to 10 min | `30 s` |
/// | `retry_minimum`, `retry_maximum` | limits of the pause after a failure, 100 ms to 1 day | `1 s`, `5 min` |
public struct UploadSection: Sendable, Hashable {
  /// The URL of a WebDAV collection, without credentials.
  public var url: String
  /// Certificates to trust instead of the system's.
  public var certificateAuthorityFile: String?
  /// The user's name.
  public var user: String?
  /// The file with the password; never the password itself.
  public var passwordFile: String?
  /// How long to wait for a connection.
  public var connectTimeout = Duration.seconds(10)
  /// How long no byte may move.
  public var stallTimeout = Duration.seconds(30)
  /// The shortest pause after a failure.
  public var retryMinimum = Duration.seconds(1)
  /// The longest pause after a failure.
  public var retryMaximum = Duration.seconds(300)

  init?(_ section: ConfigurationMapping) {
    section.require("url", "an http or https URL")
    var url = section.text("url", expected: "an http or https URL")
    if let text = url {
      let hasScheme = text.hasPrefix("http://") || text.hasPrefix("https://")
      let authority = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      if !hasScheme || authority.count < 2 || (authority.count > 1 && authority[1] != "") {
        section.note("expected an http or https URL, found \"\(text.prefix(60))\"", at: "url")
        url = nil
      } else if text.contains("@") {
        section.note(
          "must hold no credentials; use \"user\" and \"password_file\"", at: "url")
        url = nil
      }
    }
    certificateAuthorityFile = section.path("ca_file")
    user = section.text("user")
    passwordFile = section.text("password_file")
    if let file = passwordFile, !file.hasPrefix("/"), !file.hasPrefix("credential:") {
      section.note(
        "expected an absolute path or credential:NAME, found \"\(file)\"", at: "password_file")
    }
    if section.has("user") != section.has("password_file") {
      section.note(
        "goes with \"\(section.has("user") ? "password_file" : "user")\"; both or none",
        at: section.has("user") ? "user" : "password_file")
    }
    connectTimeout =
      section.duration("connect_timeout", in: .seconds(1)...(.seconds(300))) ?? connectTimeout
    stallTimeout =
      section.duration("stall_timeout", in: .seconds(1)...(.seconds(600))) ?? stallTimeout
    let pauses = Duration.milliseconds(100)...(.seconds(86_400))
    retryMinimum = section.duration("retry_minimum", in: pauses) ?? retryMinimum
    retryMaximum = section.duration("retry_maximum", in: pauses) ?? retryMaximum
    if retryMinimum > retryMaximum {
      section.note("must not exceed \"retry_maximum\"", at: "retry_minimum")
    }
    section.refuseUnknownKeys()
    guard let url else { return nil }
    self.url = url
  }
}
